//! A JSON object, as far as it matters.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::fields::{PARTS, Place, Places};

/// The value of a key that matters.
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Number(String),
    /// `null` or an empty text: as if it were not there.
    Nothing,
    /// Anything else.
    Strange,
}

/// The best value for each part so far, and how far down the list of names its key stands.
pub type Found = [Option<(u8, Value)>; PARTS];

/// Reads an object; `None` where two keys claim the same name.
pub struct Object<'p, 'n> {
    /// What keys stand for.
    pub places: &'p mut Places<'n>,
}

impl<'de> Visitor<'de> for Object<'_, '_> {
    type Value = Option<Found>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Option<Found>, A::Error> {
        let mut found: Found = Default::default();
        let mut seen = [0_u64; PARTS];
        let mut is_clear = true;
        while let Some(place) = map.next_key_seed(Key { places: self.places })? {
            let Some((part, at)) = place else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            let value = map.next_value_seed(AnyValue)?;
            let slot = usize::from(part);
            let bit = 1_u64.checked_shl(u32::from(at)).unwrap_or(0);
            is_clear &= bit != 0 && seen[slot] & bit == 0;
            seen[slot] |= bit;
            let is_better = found[slot].as_ref().is_none_or(|(best, _)| at < *best);
            if is_better && !matches!(value, Value::Nothing) {
                found[slot] = Some((at, value));
            }
        }
        Ok(is_clear.then_some(found))
    }
}

struct Key<'p, 'n> {
    places: &'p mut Places<'n>,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = Option<Place>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        reader: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        reader.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = Option<Place>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> std::result::Result<Self::Value, E> {
        Ok(self.places.of(key))
    }
}

struct AnyValue;

impl<'de> DeserializeSeed<'de> for AnyValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> std::result::Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Value, E> {
        Ok(if text.is_empty() { Value::Nothing } else { Value::Text(text.to_owned()) })
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Value, E> {
        Ok(Value::Number(number.to_string()))
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Value, E> {
        Ok(Value::Strange)
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Value, E> {
        Ok(Value::Strange)
    }

    fn visit_unit<E>(self) -> std::result::Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Value::Strange)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Value::Strange)
    }
}
