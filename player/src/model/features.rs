//! Named features: structs of numbers that are also lists of numbers.
//!
//! Code that computes a feature or uses its weight accesses the field. Weights files and the trainer use the list and
//! the names.

use bytemuck::Pod;

/// Named numbers.
///
/// ```
/// use player::model::Features;
/// use player::model::prior::PlacementWeights;
///
/// let mut weights = PlacementWeights::default();
/// weights.next.reach_covered = 0.5;
/// let number = PlacementWeights::names().iter().position(|name| name == "next.reach_covered");
/// assert_eq!(number.map(|number| weights.numbers()[number]), Some(0.5));
/// ```
pub trait Features: Pod {
    /// Fields; none for a number.
    const FIELDS: &'static [Field];

    /// Number of numbers.
    const COUNT: usize = size_of::<Self>() / size_of::<f32>();

    /// Returns the names in the order of the numbers. Names of nested fields begin with the outer name and a dot.
    fn names() -> Vec<String> {
        let mut names = Vec::with_capacity(Self::COUNT);
        add_names(Self::FIELDS, "", &mut names);
        names
    }

    /// Returns the numbers.
    fn numbers(&self) -> &[f32] {
        bytemuck::cast_slice(std::slice::from_ref(self))
    }

    /// Returns the numbers for changes.
    fn numbers_mut(&mut self) -> &mut [f32] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}

/// A field of a struct of features.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name.
    pub name: &'static str,
    /// Nested fields; none for a number.
    pub fields: &'static [Field],
}

fn add_names(fields: &[Field], prefix: &str, names: &mut Vec<String>) {
    for Field { name, fields } in fields {
        let name = format!("{prefix}{name}");
        if fields.is_empty() {
            names.push(name);
        } else {
            add_names(fields, &format!("{name}."), names);
        }
    }
}

impl Features for f32 {
    const FIELDS: &'static [Field] = &[];
}

/// Declares structs of features. Fields are numbers (`f32`) or structs of features.
macro_rules! features {
    ($($(#[$doc:meta])* pub struct $Name:ident { $($(#[$field_doc:meta])* $field:ident: $Type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Debug, Default, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C)]
        pub struct $Name {
            $($(#[$field_doc])* pub $field: $Type,)*
        }

        impl $crate::model::Features for $Name {
            const FIELDS: &'static [$crate::model::Field] = &[$(
                $crate::model::Field {
                    name: stringify!($field),
                    fields: <$Type as $crate::model::Features>::FIELDS,
                },
            )*];
        }
    )*};
}
pub(crate) use features;
