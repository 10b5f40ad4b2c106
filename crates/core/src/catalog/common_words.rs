//! Which words are in everybody's messages? A route forced by one of these would take them all.

/// Words common in requests.
const COMMON_WORDS: &str = "
    a about account action add after again all also am an and answer any anything are as ask at back bad be
    because been before best better big book buy by call can cancel change chat check code come could create
    data date day delete did do document does done down edit email end error even every everything explain
    file files find first fix for free from general get give go good great had has have he hello help her
    here hi him his home how i if in info information into is issue it item its just keep know last later
    let like list little load long look main make man many me message money month more most move much my
    name need new next nice no none not note now number of off ok old on one only open or order other our
    out over page part pay people person phone place plan please post price problem project put question
    read really remove report request right run said same save say search see send service set she should
    show simple so some something start state status step stop support sure system take talk task tell test
    text than thank thanks that the their them then there these they thing think this those time to today
    tomorrow tool two under up update us use user very view want was way we week well were what when where
    which who why will with word work world would write year yes yesterday you your
";

/// Whether a folded word is one of them.
pub(super) fn is_common(word: &str) -> bool {
    COMMON_WORDS.split_whitespace().any(|common| common == word)
}
