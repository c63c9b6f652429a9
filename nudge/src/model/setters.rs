//! Builder methods as rows of a table.

/// Makes a builder method of each row: `name(arguments) |it| what it does;`.
macro_rules! setters {
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
pub(crate) use setters;
