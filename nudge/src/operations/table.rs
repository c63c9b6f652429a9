//! The macro that makes an enum, its rows and its dispatch of a table of operations.

/// Makes a table of operations over a state; see `operations.rs` for the form of a row.
#[macro_export]
#[doc(hidden)]
macro_rules! operations {
    (
        $(#[$about:meta])*
        pub enum $Table:ident for $State:ty;
        $(
            $(#[doc = $docs:literal])+
            $Request:ident $name:literal -> $Answer:ty = $run:expr,
                { $effect:ident $($cost:ident)?, $place:ident, $($access:ident,)? [$($refuses:ident)*] }
        )+
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $Table {
            $($(#[doc = $docs])+ $Request,)+
        }

        impl $Table {
            /// All of them, in the order in which people read about them.
            pub const ALL: &[$Table] = &[$($Table::$Request),+];

            /// What is known of it.
            #[must_use]
            pub const fn about(self) -> &'static $crate::About {
                &self.row().about
            }

            /// Its row of the table.
            #[must_use]
            pub const fn row(self) -> &'static $crate::Row<$State> {
                match self {
                    $($Table::$Request => &$crate::Row {
                        about: $crate::About {
                            name: $name,
                            request: stringify!($Request),
                            answer: stringify!($Answer),
                            docs: concat!($($docs, "\n"),+),
                            writes: $crate::operations!(@writes $effect),
                            cost: $crate::operations!(@cost $($cost)?),
                            context: $crate::ContextUse::$place,
                            access: $crate::operations!(@access $($access)?),
                            refuses: &[$($crate::ErrorKind::$refuses),*],
                        },
                        call: $crate::operation_from_json::<$State, $Request>,
                    },)+
                }
            }

            /// Its name on the wire.
            #[must_use]
            pub const fn name(self) -> &'static str {
                self.about().name
            }

            /// The schemas of its params and of its result. They are no part of what is known
            /// of it, so that a program that asks for none has none in it.
            pub fn schemas(self, schemas: &mut $crate::Schemas) -> [serde_json::Value; 2] {
                match self {
                    $($Table::$Request => [schemas.params::<$Request>(), schemas.result::<$Answer>()],)+
                }
            }

            /// The operation of a name.
            #[must_use]
            pub fn named(name: &str) -> Option<$Table> {
                $Table::ALL.iter().copied().find(|known| known.name() == name)
            }
        }

        $(
            impl $crate::Request<$State> for $Request {
                type Answer = $Answer;

                const ABOUT: &'static $crate::About = $Table::$Request.about();

                #[allow(unused_mut, reason = "only some requests take a context")]
                fn run(
                    mut self,
                    state: &$State,
                    by: &$crate::Caller<'_>,
                ) -> Result<$Answer, $crate::Error> {
                    $crate::operations!(@access $($access)?).check(by, $name)?;
                    $crate::operations!(@locate $place self by);
                    let run: fn(&$State, &$crate::Caller<'_>, $Request) -> Result<$Answer, $crate::Error> = $run;
                    run(state, by, self)
                }
            }
        )+
    };
    (@access) => { $crate::Access::User };
    (@access $access:ident) => { $crate::Access::$access };
    (@cost) => { $crate::Cost::Quick };
    (@cost $cost:ident) => { $crate::Cost::$cost };
    (@writes writes) => { true };
    (@writes reads) => { false };
    (@locate None $request:ident $by:ident) => {};
    (@locate Selector $request:ident $by:ident) => {
        if $request.scope.is_none() {
            $crate::operations!(@locate Inferred $request $by);
        }
    };
    (@locate $place:ident $request:ident $by:ident) => {
        $crate::Located::locate(&mut $request.context, $by)?;
    };
}
