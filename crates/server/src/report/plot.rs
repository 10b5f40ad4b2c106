//! How is a plot drawn? Axes, bars, lines and dots as SVG, coloured by the classes of the page around it.

use std::fmt::Write as _;

use super::html::escape;

/// Width of every plot, in its own units: a little more than a telephone shows, so that words there keep their size.
const WIDTH: f64 = 360.0;
/// Room for the words left of a frame.
const LEFT: f64 = 46.0;
/// Room right of a frame, for half of the last word below it.
const RIGHT: f64 = 20.0;
/// From a frame down to the words at its ticks, and to the name of its axis.
const TICK_DROP: f64 = 16.0;
const NAME_DROP: f64 = 34.0;
/// From a frame up to the name of the axis that stands.
const NAME_RISE: f64 = 12.0;
/// From the words at a tick to the frame, and from the middle of their letters to their foot.
const TICK_GAP: f64 = 6.0;
const HALF_LETTER: f64 = 4.0;
/// Radius of a dot.
const DOT: f64 = 3.5;

/// One axis: what it counts, from where to where, and the words along it.
pub struct Axis {
    /// What it counts.
    pub name: &'static str,
    /// Where it begins and ends.
    pub range: [f64; 2],
    /// Where it has words, and which.
    pub ticks: Vec<(f64, String)>,
}

/// The part of a drawing that two axes span.
pub struct Frame {
    /// The axis that lies.
    pub across: Axis,
    /// The axis that stands.
    pub up: Axis,
    /// Where it begins, from the top of the drawing.
    pub top: f64,
    /// How high it is.
    pub height: f64,
}

/// A whole drawing with the words that stand for it where it cannot be seen. The name is part of its ids.
pub fn drawing(name: &str, title: &str, description: &str, height: f64, parts: &[String]) -> String {
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"{name}-title {name}-desc\">\n<title id=\"{name}-title\">{}</title>\n\
         <desc id=\"{name}-desc\">{}</desc>\n{}</svg>\n",
        escape(title),
        escape(description),
        parts.concat()
    )
}

impl Axis {
    /// An axis of shares from nothing to all.
    pub fn whole(name: &'static str) -> Axis {
        Axis::shares(name, 1.0)
    }

    /// An axis of confidence, or of anything else between 0 and 1 that is no share.
    pub fn confidence(name: &'static str) -> Axis {
        let tick = |fifth: u32| (f64::from(fifth) / 5.0, format!("{}", f64::from(fifth * 2) / 10.0));
        Axis { name, range: [0.0, 1.0], ticks: (0..=5).map(tick).collect() }
    }

    /// An axis of shares from nothing to the next round share.
    pub fn shares(name: &'static str, most: f64) -> Axis {
        let (end, steps) = round_up(most);
        let tick = |step: u32| {
            let at = end * f64::from(step) / f64::from(steps);
            (at, percent(at))
        };
        Axis { name, range: [0.0, end], ticks: (0..=steps).map(tick).collect() }
    }

    /// An axis of shares to both sides of nothing.
    pub fn mirrored(name: &'static str, most: f64) -> Axis {
        let (end, _) = round_up(most);
        let ticks = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|part| (end * part, percent((end * part).abs())));
        Axis { name, range: [-end, end], ticks: ticks.to_vec() }
    }

    /// An axis without words, from nothing to so many.
    pub fn bare(name: &'static str, end: f64) -> Axis {
        Axis { name, range: [0.0, end], ticks: Vec::new() }
    }

    /// How far along the axis a value lies, between 0 and 1; what is no number lies at its beginning.
    fn along(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        let along = (value - low) / (high - low);
        if along.is_finite() { along.clamp(0.0, 1.0) } else { 0.0 }
    }
}

impl Frame {
    /// The frame's lines, the words at its ticks and the names of its axes.
    pub fn axes(&self) -> String {
        let (left, right, foot) = (LEFT, WIDTH - RIGHT, self.top + self.height);
        let mut drawn = String::new();
        for (at, words) in &self.up.ticks {
            let y = self.y(*at);
            // Writing to a String cannot fail.
            let _ = writeln!(drawn, "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>");
            drawn += &place([left - TICK_GAP, y + HALF_LETTER], Anchor::End, "tick", words);
        }
        for (at, words) in &self.across.ticks {
            let x = self.x(*at);
            drawn += &place([x, foot + TICK_DROP], Anchor::Middle, "tick", words);
        }
        let _ = writeln!(drawn, "<path class=\"axis\" d=\"M{left:.1} {foot:.1}H{right:.1}\"/>");
        if !self.across.name.is_empty() {
            let middle = f64::midpoint(left, right);
            drawn += &place([middle, foot + NAME_DROP], Anchor::Middle, "name", self.across.name);
        }
        if !self.up.name.is_empty() {
            drawn += &place([0.0, self.top - NAME_RISE], Anchor::Start, "name", self.up.name);
        }
        drawn
    }

    /// A bar over a run of one axis and a run of the other; the tip is what it says when it is pointed at.
    pub fn bar(&self, across: [f64; 2], up: [f64; 2], class: &str, tip: &str) -> String {
        let ([left, right], [foot, head]) = (across.map(|x| self.x(x)), up.map(|y| self.y(y)));
        let (x, y) = (left.min(right), foot.min(head));
        let (width, height) = ((right - left).abs(), (foot - head).abs());
        format!(
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">\
             <title>{}</title></rect>\n",
            escape(tip)
        )
    }

    /// A line through points.
    pub fn line(&self, points: &[[f64; 2]], class: &str) -> String {
        let point = |[x, y]: &[f64; 2]| format!("{:.1},{:.1}", self.x(*x), self.y(*y));
        let points: Vec<String> = points.iter().map(point).collect();
        format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.join(" "))
    }

    /// A dot at a point.
    pub fn dot(&self, [x, y]: [f64; 2], class: &str, tip: &str) -> String {
        let (x, y) = (self.x(x), self.y(y));
        format!(
            "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{DOT}\"><title>{}</title></circle>\n",
            escape(tip)
        )
    }

    /// Words behind a point, in the line with it.
    pub fn beside(&self, [x, y]: [f64; 2], class: &str, text: &str) -> String {
        place([self.x(x) + TICK_GAP, self.y(y) + HALF_LETTER], Anchor::Start, class, text)
    }

    /// Words over a point.
    pub fn above(&self, [x, y]: [f64; 2], class: &str, text: &str) -> String {
        place([self.x(x), self.y(y) - HALF_LETTER], Anchor::Middle, class, text)
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + self.across.along(value) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - self.up.along(value)) * self.height
    }
}

/// Where a word stands, seen from its place.
#[derive(Clone, Copy)]
enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

fn place([x, y]: [f64; 2], anchor: Anchor, class: &str, text: &str) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    format!(
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
        escape(text)
    )
}

/// The next round share, and into how many round steps it is cut.
fn round_up(share: f64) -> (f64, u32) {
    const ROUND: [(f64, u32); 7] = [(0.01, 2), (0.02, 2), (0.05, 5), (0.1, 5), (0.2, 4), (0.5, 5), (1.0, 5)];
    ROUND.into_iter().find(|(end, _)| share <= *end).unwrap_or((1.0, 5))
}

/// A share in per cent, with one decimal where it has one.
pub fn percent(share: f64) -> String {
    format!("{} %", (share * 1000.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame { across: Axis::whole("across"), up: Axis::shares("up", 0.3), top: 20.0, height: 100.0 }
    }

    #[test]
    fn values_are_put_where_the_axes_say() {
        let check = |[x, y]: [f64; 2], expected: &str| {
            let drawn = frame().dot([x, y], "c", "tip");
            assert!(drawn.contains(expected), "{drawn} has no {expected}");
        };
        check([0.0, 0.0], "cx=\"46.0\" cy=\"120.0\"");
        check([1.0, 0.5], "cx=\"340.0\" cy=\"20.0\"");
        check([0.5, 0.25], "cx=\"193.0\" cy=\"70.0\"");
        check([2.0, -1.0], "cx=\"340.0\" cy=\"120.0\"");
        check([f64::NAN, f64::INFINITY], "cx=\"46.0\" cy=\"120.0\"");
    }

    #[test]
    fn bars_have_no_negative_size() {
        for up in [[0.0, 0.25], [0.25, 0.0]] {
            let drawn = frame().bar([0.0, 0.5], up, "c", "tip");
            assert!(drawn.contains("y=\"70.0\" width=\"147.0\" height=\"50.0\""), "{drawn}");
        }
    }

    #[test]
    fn axes_end_at_round_shares() {
        let check = |most: f64, expected: &[&str]| {
            let ticks = Axis::shares("", most).ticks.into_iter().map(|(_, words)| words);
            assert_eq!(ticks.collect::<Vec<String>>(), expected, "for {most}");
        };
        check(0.0, &["0 %", "0.5 %", "1 %"]);
        check(0.06, &["0 %", "2 %", "4 %", "6 %", "8 %", "10 %"]);
        check(0.15, &["0 %", "5 %", "10 %", "15 %", "20 %"]);
        check(7.0, &["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }

    #[test]
    fn an_axis_without_length_breaks_nothing() {
        let mut flat = frame();
        flat.up = Axis::bare("rows", 0.0);
        assert!(flat.bar([0.0, 1.0], [0.0, 0.0], "c", "").contains("height=\"0.0\""));
    }

    #[test]
    fn words_are_shown_and_never_obeyed() {
        let drawn =
            drawing("n", "<t>", "\"d\"\u{202e}", 10.0, &[frame().bar([0.0; 2], [0.0; 2], "c", "<b>")]);
        assert!(drawn.contains("&lt;t&gt;") && drawn.contains("&quot;d&quot;\u{fffd}"), "{drawn}");
        assert!(drawn.contains("&lt;b&gt;") && !drawn.contains("<b>"), "{drawn}");
    }
}
