//! Typed slots of the state vector.
//!
//! The vector is plain bytes: the working form of a state is its stored form.
//! Invariant: [`Slot::write`] keeps exactly the values its type can hold, wrapping
//! as C does, so two states are equal iff their bytes are.

use smol_str::SmolStr;

/// What a slot holds, and so how values wrap.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SlotType {
    /// One bit; also `bool`.
    Bit,
    /// 0 to 255.
    Byte,
    /// -2^15 to 2^15-1.
    Short,
    /// -2^31 to 2^31-1.
    Int,
    /// An unsigned number of that many bits, at most 32.
    Unsigned(u8),
    /// A symbolic constant of that set of [`Model::symbols`](crate::Model::symbols).
    Symbol(u16),
    /// A process number.
    Pid,
    /// The number of a channel, 0 for none.
    Chan,
    /// The location of a process plus 1, 0 for "no such process".
    Location,
    /// Which token of that set of [`Model::symbols`](crate::Model::symbols) is there, by number; 0 for none. Wide if
    /// there are more than 255.
    Token {
        /// The set.
        set: u16,
        /// Whether it takes two bytes.
        wide: bool,
    },
}

impl SlotType {
    /// Bytes in the state vector.
    pub fn size(&self) -> u32 {
        self.repr().size()
    }

    /// How a value of it lies in memory.
    pub fn repr(&self) -> Repr {
        match *self {
            SlotType::Bit => Repr::U8Masked(1),
            SlotType::Byte | SlotType::Symbol(_) | SlotType::Pid | SlotType::Token { wide: false, .. } => {
                Repr::U8
            }
            SlotType::Short => Repr::I16,
            SlotType::Chan | SlotType::Location | SlotType::Token { wide: true, .. } => Repr::U16,
            SlotType::Int => Repr::I32,
            SlotType::Unsigned(bits) => match bits {
                0..=7 => Repr::U8Masked(((1u16 << bits) - 1) as u8),
                8 => Repr::U8,
                9..=15 => Repr::U16Masked((1u16 << bits) - 1),
                16 => Repr::U16,
                17..=31 => Repr::U32Masked((1u32 << bits) - 1),
                _ => Repr::I32,
            },
        }
    }

    /// The value as this type keeps it.
    #[inline]
    pub fn wrap(&self, value: i32) -> i32 {
        self.repr().wrap(value)
    }

    /// The name of the type, for messages.
    pub fn name(&self) -> SmolStr {
        match self {
            SlotType::Bit => "bit".into(),
            SlotType::Byte => "byte".into(),
            SlotType::Short => "short".into(),
            SlotType::Int => "int".into(),
            SlotType::Unsigned(bits) => smol_str::format_smolstr!("unsigned:{bits}"),
            SlotType::Symbol(_) => "mtype".into(),
            SlotType::Pid => "pid".into(),
            SlotType::Chan => "chan".into(),
            SlotType::Location => "location".into(),
            SlotType::Token { .. } => "token".into(),
        }
    }
}

/// How a value lies in memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Repr {
    /// A byte without a sign.
    U8,
    /// Some bits of one.
    U8Masked(u8),
    /// Two bytes without a sign.
    U16,
    /// Some bits of them.
    U16Masked(u16),
    /// Two bytes with a sign.
    I16,
    /// Four bytes.
    I32,
    /// Some bits of them.
    U32Masked(u32),
}

impl Repr {
    /// Bytes in the state vector; the lowest comes first.
    pub fn size(self) -> u32 {
        match self {
            Repr::U8 | Repr::U8Masked(_) => 1,
            Repr::U16 | Repr::U16Masked(_) | Repr::I16 => 2,
            Repr::I32 | Repr::U32Masked(_) => 4,
        }
    }

    #[inline]
    fn wrap(self, value: i32) -> i32 {
        match self {
            Repr::U8 => i32::from(value as u8),
            Repr::U8Masked(mask) => i32::from(value as u8 & mask),
            Repr::U16 => i32::from(value as u16),
            Repr::U16Masked(mask) => i32::from(value as u16 & mask),
            Repr::I16 => i32::from(value as i16),
            Repr::I32 => value,
            Repr::U32Masked(mask) => (value as u32 & mask) as i32,
        }
    }
}

/// A typed place at a fixed offset from the start of its region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot {
    /// Bytes from the start of the region.
    pub offset: u32,
    repr: Repr,
}

impl Slot {
    /// A slot of type `ty` at `offset`.
    pub fn new(offset: u32, ty: &SlotType) -> Self {
        Slot { offset, repr: ty.repr() }
    }

    /// Its bytes, from the start of the region.
    pub(crate) fn bytes(self) -> std::ops::Range<usize> {
        self.offset as usize..(self.offset + self.size()) as usize
    }

    /// Bytes it takes.
    pub fn size(self) -> u32 {
        self.repr.size()
    }

    /// How its value lies in memory.
    pub fn repr(self) -> Repr {
        self.repr
    }

    /// The same slot, `by` bytes further.
    #[inline]
    pub fn shifted(self, by: u32) -> Slot {
        Slot { offset: self.offset + by, repr: self.repr }
    }

    /// The value as this slot keeps it.
    #[inline]
    pub fn wrap(self, value: i32) -> i32 {
        self.repr.wrap(value)
    }

    /// The least and the greatest value it can hold.
    pub fn bounds(self) -> (i32, i32) {
        match self.repr {
            Repr::U8 => (0, i32::from(u8::MAX)),
            Repr::U8Masked(mask) => (0, i32::from(mask)),
            Repr::U16 => (0, i32::from(u16::MAX)),
            Repr::U16Masked(mask) => (0, i32::from(mask)),
            Repr::I16 => (i32::from(i16::MIN), i32::from(i16::MAX)),
            Repr::I32 => (i32::MIN, i32::MAX),
            Repr::U32Masked(mask) => (0, mask as i32),
        }
    }

    /// The value in `state`.
    #[inline]
    pub fn read(self, state: &[u8]) -> i32 {
        let bytes = &state[self.offset as usize..];
        match self.repr {
            Repr::U8 | Repr::U8Masked(_) => i32::from(bytes[0]),
            Repr::U16 | Repr::U16Masked(_) => i32::from(u16::from_le_bytes(first(bytes))),
            Repr::I16 => i32::from(i16::from_le_bytes(first(bytes))),
            Repr::I32 | Repr::U32Masked(_) => i32::from_le_bytes(first(bytes)),
        }
    }

    /// Sets the value in `state`, wrapped to the type.
    #[inline]
    pub fn write(self, state: &mut [u8], value: i32) {
        let at = self.offset as usize;
        let value = self.repr.wrap(value);
        match self.repr.size() {
            1 => state[at] = value as u8,
            2 => state[at..at + 2].copy_from_slice(&(value as u16).to_le_bytes()),
            _ => state[at..at + 4].copy_from_slice(&value.to_le_bytes()),
        }
    }
}

/// The first bytes, which are there.
#[inline]
fn first<const N: usize>(bytes: &[u8]) -> [u8; N] {
    *bytes.first_chunk().expect("a slot is within the state")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_wrap_as_in_c() {
        let check = |ty: SlotType, value: i32, expected: i32| {
            let slot = Slot::new(1, &ty);
            let mut state = [0u8; 8];
            slot.write(&mut state, value);
            assert_eq!(slot.read(&state), expected, "{} = {value}", ty.name());
            assert_eq!(ty.wrap(value), expected);
            let (least, greatest) = slot.bounds();
            assert!((least..=greatest).contains(&expected));
            assert_eq!((ty.wrap(least), ty.wrap(greatest)), (least, greatest));
            assert!(greatest == i32::MAX || ty.wrap(greatest + 1) == least);
            let used = 1..1 + ty.size() as usize;
            assert!(state.iter().enumerate().all(|(i, b)| used.contains(&i) || *b == 0));
        };
        check(SlotType::Bit, 3, 1);
        check(SlotType::Byte, 256, 0);
        check(SlotType::Byte, -1, 255);
        check(SlotType::Short, 40000, -25536);
        check(SlotType::Int, -7, -7);
        check(SlotType::Unsigned(3), 9, 1);
        check(SlotType::Unsigned(8), -1, 255);
        check(SlotType::Unsigned(12), 4097, 1);
        check(SlotType::Unsigned(20), -1, (1 << 20) - 1);
        check(SlotType::Unsigned(32), -1, -1);
        check(SlotType::Chan, 300, 300);
    }
}
