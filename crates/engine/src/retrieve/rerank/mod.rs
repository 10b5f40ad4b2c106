//! In which order do the best come, once somebody has read each beside the message?
//!
//! A search names the best; a re-ranker reads some of them again, more slowly and more closely, and orders them. It only orders:
//! how sure each is, and whether anything fits, stays what the search said, as the scores of re-rankers have no common scale.
//! Where it fails, the order of the search stands, and a note says why.

mod error;
mod replies;
mod endpoint;
mod meaning;

use std::collections::{HashMap, HashSet};

use waypost_core::catalog::tools::Tool;
use waypost_core::selection::pool::in_words;

pub use endpoint::{RerankEndpoint, RerankSettings};
pub use error::RerankError;
pub use meaning::ByMeaning;
pub use replies::Shape;

use super::sources::{self, FoundPassage, FoundSources, Sources};
use super::tools::{Asked, Found, FoundTool, Toolbox};
use crate::Error;

/// How many of the best are read again: nearly always enough to hold what is needed, and few enough that a model on a
/// processor reads them within a second.
pub const RERANKED_MAX: usize = 50;

/// Reads texts beside a message.
pub trait Rerank: Send + Sync {
    /// What it is called in answers.
    fn id(&self) -> &str;

    /// How well each text answers the message, in the order of the texts; more is better, on any scale.
    fn scores(&self, message: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError>;
}

/// Orders things by what their texts say to a message: the first [`RERANKED_MAX`] anew, the others behind them as they were.
/// Equals keep their order. Where that fails all stay as they are, and the second is why.
pub fn reorder<T>(
    by: &dyn Rerank,
    message: &str,
    mut order: Vec<T>,
    text: impl Fn(&T) -> String,
) -> (Vec<T>, Option<String>) {
    let rest = order.split_off(order.len().min(RERANKED_MAX));
    let texts: Vec<String> = order.iter().map(text).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    if texts.len() < 2 {
        order.extend(rest);
        return (order, None);
    }
    let note = match by.scores(message, &texts) {
        Ok(scores) if scores.len() != texts.len() || !scores.iter().all(|score| score.is_finite()) => {
            Some(format!("not re-ranked: {} gave no score for each text", by.id()))
        }
        Ok(scores) => {
            let mut scores = scores.into_iter();
            let mut scored: Vec<(f32, T)> =
                order.into_iter().map(|thing| (scores.next().unwrap_or_default(), thing)).collect();
            scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
            order = scored.into_iter().map(|(_, thing)| thing).collect();
            None
        }
        Err(error) => Some(format!("not re-ranked: {error}")),
    };
    order.extend(rest);
    (order, note)
}

/// The tools for a message, re-ranked. Tools that are there whatever they score stay: those that are pinned, those whose name is
/// said, and the one that searches for anything.
pub fn tools(by: &dyn Rerank, toolbox: &Toolbox, asked: &Asked<'_>) -> (Found, Option<String>) {
    let mut local = toolbox.find(asked);
    let wide = RERANKED_MAX.max(asked.most);
    let mut wider = toolbox.find(&Asked { most: wide, ..*asked }).tools;
    wider.truncate(wide);
    let ids: HashSet<String> = wider.iter().map(|tool| tool.id.clone()).collect();
    let told = toolbox.tools().iter().filter(|tool| ids.contains(&tool.id));
    let told: HashMap<&str, &Tool> = told.map(|tool| (tool.id.as_str(), tool)).collect();
    let text = |tool: &FoundTool| match told.get(tool.id.as_str()) {
        Some(told) => format!("{}: {}", in_words(&told.name), told.description),
        None => tool.name.clone(),
    };
    let ranked = toolbox.rank(asked.text, asked.most, toolbox.open(asked).as_deref());
    let named = ranked.iter().filter(|candidate| candidate.evidence.named.is_some());
    let named: Vec<&str> =
        named.filter_map(|own| toolbox.tools().get(own.tool)).map(|tool| tool.id.as_str()).collect();
    let is_named = |tool: &FoundTool| named.contains(&tool.id.as_str());
    let is_pinned = |tool: &FoundTool| told.get(tool.id.as_str()).is_some_and(|told| told.pinned);
    let (mut ordered, note) = reorder(by, asked.text, wider, text);
    if note.is_some() {
        return (local, note);
    }
    let added = local.tools.split_off(local.tools.len().min(asked.most));
    // A tool whose name is written as it is came first, and does so still.
    if let Some(first) = local.tools.first().filter(|first| is_named(first)) {
        ordered.sort_by_key(|tool| tool.id != first.id);
    }
    let stays = |tool: &FoundTool| {
        (is_named(tool) || is_pinned(tool)) && local.tools.iter().any(|own| own.id == tool.id)
    };
    let mut room = asked.most.saturating_sub(local.tools.iter().filter(|tool| stays(tool)).count());
    ordered.retain(|tool| {
        let fits = stays(tool) || room > 0;
        room = room.saturating_sub(usize::from(fits && !stays(tool)));
        fits
    });
    for tool in added {
        if !ordered.iter().any(|own| own.id == tool.id) {
            ordered.push(tool);
        }
    }
    (Found { tools: ordered, ..local }, None)
}

/// The passages for a message, re-ranked. The turn before it is read with it, as it may lean on that.
pub fn sources(
    by: &dyn Rerank,
    sources: &Sources,
    asked: &sources::Asked<'_>,
) -> Result<(FoundSources, Option<String>), Error> {
    let mut found = sources.find(&sources::Asked { most: RERANKED_MAX.max(asked.most), ..*asked })?;
    let said = match asked.earlier.last() {
        Some(turn) => format!("{turn}\n{}", asked.text),
        None => asked.text.to_owned(),
    };
    let text = |passage: &FoundPassage| match passage.citation.title.trim() {
        "" => passage.text.clone(),
        title => format!("{title}: {}", passage.text),
    };
    let passages = std::mem::take(&mut found.passages);
    let (mut passages, note) = reorder(by, &said, passages, text);
    passages.truncate(asked.most);
    Ok((FoundSources { passages, ..found }, note))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::sources::{Library, Passage};
    use super::*;
    use crate::encode::BuiltIn;

    /// Prefers texts with more of one letter, or fails.
    struct Letters(Result<char, &'static str>);

    impl Rerank for Letters {
        fn id(&self) -> &'static str {
            "letters"
        }

        fn scores(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, RerankError> {
            let count =
                |letter: char, text: &str| u8::try_from(text.matches(letter).count()).unwrap_or(u8::MAX);
            match self.0 {
                Ok(letter) => Ok(texts.iter().map(|text| f32::from(count(letter, text))).collect()),
                Err(why) => Err(RerankError::Garbled { url: "URL".to_owned(), what: why.to_owned() }),
            }
        }
    }

    fn toolbox(rows: &[(&str, &str, bool)]) -> Toolbox {
        let tool = |(name, description, pinned): &(&str, &str, bool)| {
            let row = serde_json::json!({"name": name, "description": description, "pinned": pinned});
            Tool::from_row(&row).unwrap()
        };
        Toolbox::new(rows.iter().map(tool).collect(), BuiltIn::shipped().unwrap()).unwrap()
    }

    #[test]
    fn the_best_are_ordered_anew_and_the_rest_stay_behind() {
        let things: Vec<usize> = (0..RERANKED_MAX + 3).collect();
        let text = |thing: &usize| if *thing % 2 == 1 { "x".to_owned() } else { "o".to_owned() };
        let (order, note) = reorder(&Letters(Ok('x')), "m", things.clone(), text);
        assert_eq!((order[0], order[1], note), (1, 3, None));
        assert_eq!(
            (order[25], order[26], &order[RERANKED_MAX..]),
            (0, 2, &[50, 51, 52][..]),
            "equals keep their order"
        );
        let (order, note) = reorder(&Letters(Err("no")), "m", things.clone(), text);
        assert_eq!(order, things);
        assert!(
            note.unwrap()
                .starts_with("not re-ranked: the re-rank endpoint URL answers with no usable scores: no")
        );
        assert_eq!(reorder(&Letters(Err("no")), "m", vec![7], text), (vec![7], None), "one needs no order");
    }

    #[test]
    fn tools_that_are_there_whatever_they_score_stay() {
        let toolbox = toolbox(&[
            ("find_symbol", "Locates a function", false),
            ("send_mail", "Sends an e-mail", false),
            ("quiz", "zzz zzz", false),
            ("ask_human", "Asks a person", true),
        ]);
        let find = |text: &str, most: usize| {
            let (found, note) = tools(&Letters(Ok('z')), &toolbox, &Asked { text, most, ..Asked::default() });
            assert_eq!(note, None);
            found.tools.into_iter().map(|tool| tool.id).collect::<Vec<String>>()
        };
        assert_eq!(find("write an e-mail", 2), ["quiz", "ask_human"]);
        assert_eq!(find("use find_symbol on it", 3), ["find_symbol", "quiz", "ask_human"]);
    }

    #[test]
    fn passages_are_cut_after_they_were_ordered() {
        let passage = |id: &str, text: &str| Passage {
            id: id.to_owned(),
            collection: String::new(),
            title: String::new(),
            text: text.to_owned(),
            place: None,
            metadata: std::collections::BTreeMap::new(),
        };
        let passages = vec![
            passage("tram", "The tram to the harbour"),
            passage("zoo", "zzz"),
            passage("owl", "Owls hunt"),
        ];
        let library = Library::new(passages, Arc::clone(&BuiltIn::shipped().unwrap())).unwrap();
        let library = Sources::Held(library);
        let asked = sources::Asked { text: "the tram", most: 1, ..sources::Asked::default() };
        let (found, note) = sources(&Letters(Ok('z')), &library, &asked).unwrap();
        assert_eq!((found.passages.len(), found.passages[0].id.as_str(), note), (1, "zoo", None));
        let (found, note) = sources(&Letters(Err("no")), &library, &asked).unwrap();
        assert!(found.passages[0].id == "tram" && note.is_some());
    }
}
