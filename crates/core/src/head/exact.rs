//! Which exponential and logarithm are the same everywhere? Our own: the system's differ in their last bit from one
//! processor to the next, and a head must not.

/// e to the x, within a millionth, by plain double-precision arithmetic.
#[allow(clippy::cast_possible_truncation)] // the result is a single-precision number by intent
pub fn exp(x: f32) -> f32 {
    let x = f64::from(x.clamp(-87.0, 87.0));
    // Adding and taking off three halves of 2^52 rounds to the nearest whole number, without a call.
    let doublings = (x * std::f64::consts::LOG2_E + ROUNDING) - ROUNDING;
    let rest = x - doublings * std::f64::consts::LN_2;
    // Taylor's series to the seventh power; |rest| is below 0.35, so what is left out is below 1e-8.
    let series = [1.0 / 5040.0, 1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let power = series.iter().fold(0.0, |sum, factor| sum * rest + factor);
    (power * two_to(doublings)) as f32
}

/// So large that its neighbours are whole numbers.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// Two to a whole power, written straight into the exponent.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole and within ±126 by the clamp above
fn two_to(power: f64) -> f64 {
    f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// The natural logarithm of a number that is at least one, within a millionth.
#[allow(clippy::cast_possible_truncation)] // as above
pub(crate) fn ln(x: f32) -> f32 {
    ln_double(f64::from(x.max(1.0))) as f32
}

/// The natural logarithm of a positive number, within a part in a thousand millions.
pub(crate) fn ln_double(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = i32::try_from(bits >> 52).unwrap_or_default() - 1023;
    let mantissa = f64::from_bits((bits & ((1 << 52) - 1)) | (1023 << 52));
    // ln m = 2 artanh((m-1)/(m+1)); the argument is below a third, so eight terms leave less than 1e-9.
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let terms = [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0];
    let series = terms.iter().fold(0.0, |sum, odd| sum * square + 1.0 / odd);
    2.0 * ratio * series + f64::from(exponent) * std::f64::consts::LN_2
}

/// One share of so many.
#[allow(clippy::cast_precision_loss)] // a handful of classes
pub(crate) fn part_of(count: usize) -> f32 {
    1.0 / count.max(1) as f32
}

/// The logistic function: a half at nothing, one far above.
pub(crate) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_to_the_real_ones() {
        for step in -800_i16..=800 {
            let x = f32::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 2e-6, "{x}");
            let x = 1.0 + f32::from(step + 800) * 3.7;
            assert!((ln(x) - x.ln()).abs() < 2e-6, "{x}");
        }
    }
}
