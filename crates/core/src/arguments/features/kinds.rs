//! Which reasons are there?

/// What is looked at. The order is that of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::arguments) enum Feature {
    // Nothing fills the slot, and a call needs it; or does without.
    NoneRequired,
    NoneOptional,
    // How many words there are.
    One,
    Two,
    Three,
    Four,
    Long,
    // How they are written.
    Capitals,
    SomeCapitals,
    SmallAmongCapitals,
    CapitalBefore,
    CapitalBehind,
    Quoted,
    WithinQuotes,
    Figures,
    Comma,
    EmptyWithin,
    Joined,
    // Where they stand.
    First,
    Last,
    SignBefore,
    EmptyBefore,
    ToldBefore,
    SignBehind,
    EmptyBehind,
    ToldBehind,
    VerbPlace,
    // What names the slot, or another, near them.
    NameRightBefore,
    NameRightBehind,
    NameBefore,
    NameBehind,
    NameWithin,
    NameAlone,
    AboutBefore,
    AboutBehind,
    OtherNameBefore,
    OtherNameBehind,
    OtherNameWithin,
    // How far the words are those of the tool and of the slot's description.
    ToolWords,
    AboutWords,
    // How alike they are in meaning.
    LikeSlot,
    LikeChoice,
    LikeOthers,
    LeftLike,
    RightLike,
    LeftLikeOthers,
    // Values that were found: numbers, times and the like.
    IsMention,
    CutsMention,
    HoldsMention,
    Latent,
    UnitFits,
    UnitStrange,
    UnitBare,
    UnitNamed,
    Percent,
    Money,
    OutOfRange,
    SamePlace,
    OnlyOne,
    AskedFor,
    InWords,
    InBrackets,
    Several,
    Code,
    // The words before, by the sort of slot; the products follow.
    Led,
}

impl Feature {
    /// This reason, once.
    pub const fn once(self) -> super::Reason {
        (self as usize, 1.0)
    }

    /// So much of this reason.
    pub const fn amount(self, amount: f32) -> super::Reason {
        (self as usize, amount)
    }
}
