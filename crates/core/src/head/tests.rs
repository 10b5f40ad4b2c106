//! Does a head tell apart what it was taught?

use super::*;

const TEXTS: &[(&str, usize)] = &[
    ("where is my parcel", 0),
    ("track the parcel please", 0),
    ("when does the package arrive", 0),
    ("my package is late", 0),
    ("refund the invoice", 1),
    ("i was charged twice", 1),
    ("the invoice is wrong", 1),
    ("give me my money back", 1),
];

/// Taught by texts with their classes; texts beyond the second class belong nowhere.
fn taught_by(texts: &[(&str, usize)]) -> Head {
    let classes: Vec<Vec<usize>> = texts.iter().map(|(_, class)| vec![*class]).collect();
    let lesson = |((text, class), classes)| Lesson {
        text,
        vector: &[],
        classes: if class < 2 { classes } else { &[] },
        role: Role::Example,
    };
    let lessons: Vec<Lesson<'_>> =
        texts.iter().copied().zip(classes.iter().map(Vec::as_slice)).map(lesson).collect();
    teach(&lessons, Shape { classes: 2, dimensions: 0, select: Select::One })
}

fn taught(order: &[usize]) -> Head {
    taught_by(&order.iter().map(|at| TEXTS[*at]).collect::<Vec<_>>())
}

fn judge(head: &Head, text: &str) -> Judgement {
    head.judge(&head.features(&Reading::new(text), Vec::new()))
}

#[track_caller]
fn check(head: &Head, text: &str, class: usize) {
    let beliefs = judge(head, text).beliefs;
    assert!((beliefs.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    assert!(beliefs[class] > 0.5, "{text}: {beliefs:?}");
}

#[test]
fn a_head_tells_apart_what_it_was_taught() {
    let head = taught(&[0, 1, 2, 3, 4, 5, 6, 7]);
    check(&head, "is my parcel late", 0);
    check(&head, "PACKAGES arrive late", 0);
    check(&head, "a wrong invoice, charge", 1);
}

#[test]
fn the_same_lessons_give_the_same_head_to_the_bit() {
    let order = [3, 1, 4, 0, 5, 2, 6, 7];
    assert_eq!(taught(&order), taught(&order));
    let bits: u64 = taught(&order).weights.cells().iter().map(|cell| u64::from(*cell)).sum();
    // The same number on every machine; it changes only when learning does.
    assert_eq!(bits, 19_314_468);
}

#[test]
fn strange_texts_are_judged_too() {
    let head = taught(&[0, 4, 1, 5]);
    let long = "parcel ".repeat(20_000);
    for text in ["", "\u{0}", "数据", "🙂", &long] {
        assert!(judge(&head, text).beliefs.iter().all(|belief| belief.is_finite()), "{text}");
    }
}

#[test]
fn what_belongs_nowhere_is_believed_of_no_class() {
    let foreign = [("sing a song", 2), ("what a lovely day", 2), ("sing about the day", 2)];
    let head = taught_by(&[TEXTS, &foreign].concat());
    let judged = judge(&head, "sing about a lovely day");
    assert!(judged.beliefs.iter().sum::<f32>() < 0.5 && judged.fits < 0.5, "{judged:?}");
    assert!(judge(&head, "track my parcel").beliefs[0] > 0.5);
}

#[test]
fn many_classes_are_believed_each_for_itself() {
    let classes: Vec<Vec<usize>> = TEXTS.iter().map(|(_, class)| vec![*class]).collect();
    let of = |(text, classes)| Lesson { text, vector: &[], classes, role: Role::Example };
    let one = TEXTS.iter().zip(&classes).map(|((text, _), classes)| of((*text, &classes[..])));
    let both =
        [("the parcel is late, refund the invoice", &[0, 1][..]), ("parcel lost, money back", &[0, 1])];
    let lessons: Vec<Lesson<'_>> = one.chain(both.map(of)).collect();
    let head = teach(&lessons, Shape { classes: 2, dimensions: 0, select: Select::Many });
    let both = judge(&head, "my parcel is late and give me my money back").beliefs;
    assert!(both.iter().all(|belief| *belief > 0.5), "{both:?}");
    assert!(judge(&head, "i was charged twice").beliefs[0] < 0.5);
}

#[test]
fn a_lesson_more_is_learned_without_the_others() {
    let head = taught(&[0, 1, 4, 5]);
    let more = Lesson { text: "the courier got lost", vector: &[], classes: &[0], role: Role::Example };
    assert!(judge(&head, "courier got lost").beliefs[0] < 0.7);
    let head = teach_more(head, &[more], 4);
    check(&head, "courier got lost", 0);
    check(&head, "refund the invoice", 1);
}

#[test]
fn a_calibration_knows_what_does_not_fit() {
    let head = taught(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let said: Vec<Said> = (0..40)
        .map(|n| {
            let (text, class) = TEXTS[n % TEXTS.len()];
            Said::of(&head, &head.features(&Reading::new(text), Vec::new()), &[class])
        })
        .collect();
    let head = head.calibrated(&said);
    assert_eq!(head.judged().len(), 40);
    let fits = |text: &str| judge(&head, text).fits;
    assert!(fits("where is my parcel") > 0.5 && fits("zzz qqq") < 0.5);
}

#[test]
fn the_voices_are_the_margin() {
    let head = taught(&[0, 1, 2, 3, 4, 5, 6, 7]);
    let reading = Reading::new("my parcel, the parcel and the invoice");
    let features = head.features(&reading, Vec::new());
    let voices = head.voices(&reading, &features, 0, Some(1));
    let (sum, logits) = (voices.iter().map(|voice| voice.amount).sum::<f32>(), head.logits(&features));
    let bias = head.weights.at(0, 0) - head.weights.at(0, 1);
    assert!((sum + bias - (logits[0] - logits[1])).abs() < 1e-4);
    let loudest =
        |sign: f32| voices.iter().find(|voice| voice.amount * sign > 0.0).and_then(|voice| voice.span);
    assert_eq!(loudest(1.0).unwrap().of(reading.text()), "parcel");
    assert_eq!(loudest(-1.0).unwrap().of(reading.text()), "invoice");
}

#[test]
fn a_head_comes_back_as_it_was_kept_or_not_at_all() {
    let head = taught(&[0, 1, 4, 5]);
    let kept = Taught { head, lessons: vec![1, 2, 3] };
    let bytes = kept.to_bytes();
    assert_eq!(Taught::from_bytes(&bytes), Ok(kept));
    for cut in [16, 40, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Taught::from_bytes(&bytes[..cut]), Err(Unreadable::Damaged), "{cut}");
    }
    assert_eq!(Taught::from_bytes(b"something else"), Err(Unreadable::Foreign));
    let mut altered = bytes;
    *altered.last_mut().unwrap() ^= 1;
    assert_eq!(Taught::from_bytes(&altered), Err(Unreadable::Damaged));
}

#[test]
fn thousands_of_classes_are_told_apart_by_likeness() {
    let classes = 3_000;
    // Each class a direction of its own, by the digits of its number.
    let vector = |class: usize| -> Vec<f32> {
        let raw: Vec<f32> = (0..12).map(|bit| if class >> bit & 1 == 1 { 1.0 } else { -1.0 }).collect();
        let length = similarity(&raw, &raw).sqrt();
        raw.into_iter().map(|value| value / length).collect()
    };
    let vectors: Vec<Vec<f32>> = (0..classes).map(vector).collect();
    let own: Vec<[usize; 1]> = (0..classes).map(|class| [class]).collect();
    let of = |(vector, own)| Lesson { text: "the same", vector, classes: own, role: Role::Example };
    let lessons: Vec<Lesson<'_>> =
        vectors.iter().map(Vec::as_slice).zip(own.iter().map(|own| &own[..])).map(of).collect();
    let head = teach(&lessons, Shape { classes, dimensions: 12, select: Select::One });
    assert!(head.goes_by_likeness());
    let beliefs = head.judge(&head.features(&Reading::new("the same"), vector(1_234))).beliefs;
    let surest = beliefs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    assert_eq!(surest.0, 1_234);
}
