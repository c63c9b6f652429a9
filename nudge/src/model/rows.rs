//! Builder methods, conversions and what is shown, as rows of a table.

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

/// Makes a `Debug` that shows these fields of a type, and no text that may hold a secret.
macro_rules! shows {
    ($Type:ident: $($field:ident)+) => {
        impl std::fmt::Debug for $Type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Type))
                    $(.field(stringify!($field), &self.$field))+
                    .finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use {from, setters, shows};
