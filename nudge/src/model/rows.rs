//! Builder methods and conversions as rows of a table.

/// Makes a builder method of each row: `name(arguments) |it| what it does;`.
macro_rules! setters {
    (const $Type:ident<$life:lifetime>: $(
        $(#[$docs:meta])+
        $name:ident($argument:ident: $kind:ty) |$it:ident| $set:expr;
    )+) => {
        impl<$life> $Type<$life> {$(
            $(#[$docs])+
            #[must_use]
            pub const fn $name(mut self, $argument: $kind) -> Self {
                let $it = &mut self;
                $set;
                self
            }
        )+}
    };
    ($Type:ty: $(
        $(#[$docs:meta])+
        $name:ident($($argument:ident: $kind:ty),*) |$it:ident| $set:expr;
    )+) => {
        impl $Type {$(
            $(#[$docs])+
            #[must_use]
            pub fn $name(mut self $(, $argument: $kind)*) -> Self {
                let $it = &mut self;
                $set;
                self
            }
        )+}
    };
}

/// Makes a `From` of each row: `what it is made of => value` for a type.
macro_rules! from {
    ($Type:ty: $($(#[$docs:meta])* $given:ident: $Given:ty => $made:expr;)+) => {$(
        $(#[$docs])*
        impl From<$Given> for $Type {
            fn from($given: $Given) -> $Type {
                $made
            }
        }
    )+};
}
pub(crate) use {from, setters};
