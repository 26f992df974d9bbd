//! The text of a file that an agent packed with Zstandard. It may have been packed in several frames, one after the
//! other, with frames between them that hold no text.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How much of a file is read, in bytes when unpacked: many times more than a session ever writes.
const MOST: u64 = 4 * 1024 * 1024 * 1024;

/// How much is unpacked at a time, in bytes.
const AT_ONCE: usize = 1024 * 1024;

/// Reads what `source` holds, unpacked. More than [`MOST`] bytes are an error, so that nothing is left out unnoticed.
pub(crate) struct Unpacked<R> {
    source: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
    left: u64,
}

impl<R: BufRead> Unpacked<R> {
    pub(crate) fn of(source: R) -> Self {
        Self::of_at_most(source, MOST)
    }

    fn of_at_most(source: R, left: u64) -> Self {
        Self {
            source,
            decoder: FrameDecoder::new(),
            is_in_frame: false,
            left,
        }
    }

    /// Begins the next frame; false when there is none.
    fn begin(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let mut skipped = (&mut self.source).take(length.into());
                    io::copy(&mut skipped, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }
}

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame && !self.begin()? {
                return Ok(0);
            }
            self.is_in_frame = true;
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                let left = self.left.checked_sub(read as u64);
                let too_much = || io::Error::other("unpacks to more than 4 GiB");
                self.left = left.ok_or_else(too_much)?;
                return Ok(read);
            }
            if self.decoder.is_finished() {
                self.is_in_frame = false;
                continue;
            }
            let some = BlockDecodingStrategy::UptoBytes(AT_ONCE);
            let decoded = self.decoder.decode_blocks(&mut self.source, some);
            decoded.map_err(io::Error::other)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn packed(text: &str) -> Vec<u8> {
        compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)
    }

    #[test]
    fn all_frames_are_read() {
        let long = "a line that is long\n".repeat(200_000);
        let skipped = [
            &0x184D_2A50_u32.to_le_bytes()[..],
            &3_u32.to_le_bytes(),
            b"abc",
        ]
        .concat();
        let whole = [packed("one\nt"), skipped, packed("wo\n"), packed(&long)].concat();
        let read = io::read_to_string(Unpacked::of(&*whole)).unwrap();
        assert_eq!(read, format!("one\ntwo\n{long}"));
        assert_eq!(io::read_to_string(Unpacked::of(&b""[..])).unwrap(), "");
    }

    #[test]
    fn what_is_damaged_cut_off_or_too_much_is_an_error() {
        let whole = packed(&"0123456789abcdef\n".repeat(1000));
        for bytes in [&b"no archive"[..], &whole[..whole.len() / 2]] {
            assert!(io::read_to_string(Unpacked::of(bytes)).is_err());
        }
        let most = |most| io::read_to_string(Unpacked::of_at_most(&*whole, most));
        assert_eq!(most(17_000).unwrap().len(), 17_000);
        assert!(most(16_999).is_err());
    }
}
