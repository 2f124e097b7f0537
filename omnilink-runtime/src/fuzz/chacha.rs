//! The generator behind [`Random`](super::Random): ChaCha with 8 rounds (Bernstein, *ChaCha, a variant of Salsa20*, 2008).
//!
//! Written here, because a program under test builds whatever the recorder needs, and the usual crates for these forty lines
//! bring a tree of others. The tests compare it with `rand_chacha`.

const ROUNDS: usize = 8;
/// Words of a block.
const BLOCK: usize = 16;
/// "expand 32-byte k".
const CONSTANTS: [u32; 4] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The key stream of a key and a stream number, word by word.
#[derive(Clone)]
pub(super) struct ChaCha8 {
    key: [u32; 8],
    stream: u64,
    /// Number of the next block.
    counter: u64,
    block: [u32; BLOCK],
    /// Words of `block` that were used.
    used: usize,
}

impl ChaCha8 {
    /// The stream number `stream` of the key that `seed` stands for.
    pub fn new(mut seed: u64, stream: u64) -> Self {
        let key = [0; 8].map(|_: u32| pcg32(&mut seed));
        Self { key, stream, counter: 0, block: [0; BLOCK], used: BLOCK }
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used == BLOCK {
            self.refill();
        }
        let word = self.block[self.used];
        self.used += 1;
        word
    }

    /// The next two words, the low half first.
    #[inline]
    pub fn number(&mut self) -> u64 {
        let low = self.word();
        u64::from(low) | u64::from(self.word()) << 32
    }

    fn refill(&mut self) {
        let [counter_low, counter_high] = halves(self.counter);
        let [stream_low, stream_high] = halves(self.stream);
        let mut input = [0; BLOCK];
        input[..4].copy_from_slice(&CONSTANTS);
        input[4..12].copy_from_slice(&self.key);
        input[12..].copy_from_slice(&[counter_low, counter_high, stream_low, stream_high]);

        let mut state = input;
        for _ in 0..ROUNDS / 2 {
            for column in 0..4 {
                quarter_round(&mut state, column, 4 + column, 8 + column, 12 + column);
            }
            for diagonal in 0..4 {
                let [b, c, d] = [1, 2, 3].map(|shift| (diagonal + shift) % 4);
                quarter_round(&mut state, diagonal, 4 + b, 8 + c, 12 + d);
            }
        }
        for (word, first) in state.iter_mut().zip(input) {
            *word = word.wrapping_add(first);
        }
        self.block = state;
        self.counter = self.counter.wrapping_add(1);
        self.used = 0;
    }
}

#[inline]
fn quarter_round(state: &mut [u32; BLOCK], a: usize, b: usize, c: usize, d: usize) {
    for (turn_d, turn_b) in [(16, 12), (8, 7)] {
        state[a] = state[a].wrapping_add(state[b]);
        state[d] = (state[d] ^ state[a]).rotate_left(turn_d);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_left(turn_b);
    }
}

fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}

/// The next output of PCG32 (XSH RR; O'Neill, 2014), as `rand_core` makes a key from a number.
fn pcg32(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(11_634_580_027_462_260_723);
    let shifted = (((*state >> 18) ^ *state) >> 27) as u32;
    shifted.rotate_right((*state >> 59) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::{Rng, SeedableRng};

    #[test]
    fn it_is_the_generator_that_others_call_by_this_name() {
        for (seed, stream) in [(0, 0), (7, 1), (u64::MAX, 3), (0x0123_4567_89ab_cdef, u64::MAX), (1 << 63, 1 << 32)] {
            let mut ours = ChaCha8::new(seed, stream);
            let mut theirs = ChaCha8Rng::seed_from_u64(seed);
            theirs.set_stream(stream);
            for draw in 0..1000_u32 {
                // Single words between numbers, so that numbers also lie across the ends of blocks.
                if draw.is_multiple_of(37) {
                    assert_eq!(ours.word(), theirs.next_u32(), "seed {seed}, stream {stream}, draw {draw}");
                }
                assert_eq!(ours.number(), theirs.next_u64(), "seed {seed}, stream {stream}, draw {draw}");
            }
        }
    }

    #[test]
    fn the_block_number_has_64_bits() {
        let mut ours = ChaCha8 { counter: u64::from(u32::MAX), ..ChaCha8::new(5, 2) };
        let mut theirs = ChaCha8Rng::seed_from_u64(5);
        theirs.set_stream(2);
        theirs.set_word_pos(u128::from(u32::MAX) * BLOCK as u128);
        for _ in 0..3 * BLOCK {
            assert_eq!(ours.word(), theirs.next_u32());
        }
    }
}
