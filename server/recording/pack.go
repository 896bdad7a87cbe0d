package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// A finished recording is its lines in zstd frames that do not depend on one
// another, and the table of the zstd seekable format.

// seekEntry is a frame in the table.
type seekEntry struct{ packed, plain uint32 }

// Numbers of the zstd seekable format.
const (
	skippableMagic = 0x184D2A5E
	seekableMagic  = 0x8F92EAB1
	seekHeader     = 8 // bytes: magic, size
	seekFooter     = 9 // bytes: number of frames, descriptor, magic
)

// pack replaces the lines in a file by frames. A kill or a loss of power on the
// way costs nothing, and no second file is needed: the frames are written behind
// the lines, and when they are safe there, again from the beginning, and then
// the rest is cut off. Whoever reads goes by the table at the end.
func (f *file) pack() error {
	lines := f.size
	packed, longest, err := packLines(io.NewSectionReader(f, 0, lines), io.NewOffsetWriter(f, lines))
	// Frames that are longer than the lines would overlap them, and lines that are
	// compressed beyond the bounds of a reader stay as they are.
	if err != nil || packed > lines || lines > mostPlain(packed) || longest > mostLine(packed) {
		return errors.Join(err, f.Truncate(lines))
	}
	if err := f.Sync(); err != nil {
		return err
	}
	_, err = io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(f, lines, packed))
	if err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Truncate(packed)
}

// packLines compresses lines. It returns how many bytes it wrote, and how many the
// longest line has.
func packLines(src io.Reader, dst io.Writer) (size, longest int64, err error) {
	enc, err := takeEncoder()
	if err != nil {
		return 0, 0, fmt.Errorf("zstd: %w", err)
	}
	defer giveBack(enc)
	in := bufio.NewReaderSize(src, 64<<10)
	out := bufio.NewWriterSize(dst, 64<<10)
	var table []seekEntry
	var plain, packed []byte
	var line int64 // bytes of the line under way
	for more := true; more; {
		plain, more, err = readFrame(in, plain[:0])
		if err != nil {
			return 0, 0, err
		}
		if len(plain) == 0 {
			break
		}
		for part := range bytes.Lines(plain) { // a long line may go on in the next frame
			line += int64(len(part))
			longest = max(longest, line)
			if part[len(part)-1] == '\n' {
				line = 0
			}
		}
		packed = enc.EncodeAll(plain, packed[:0])
		table = append(table, seekEntry{uint32(len(packed)), uint32(len(plain))})
		size += int64(len(packed))
		if _, err := out.Write(packed); err != nil {
			return 0, 0, err
		}
	}
	tail := appendSeekTable(nil, table)
	_, err = out.Write(tail)
	return size + int64(len(tail)), longest, errors.Join(err, out.Flush())
}

// idleEncoder holds an encoder that nobody uses, for the recording that is packed
// next: a server that made one for each match would leave behind more garbage than
// the matches themselves.
var idleEncoder = make(chan *zstd.Encoder, 1)

// takeEncoder is the encoder that is idle, or another one. It takes 0.6 MB; to pack 7 %
// smaller, it would take ten times that, and the next level in between gains nothing.
func takeEncoder() (*zstd.Encoder, error) {
	select {
	case enc := <-idleEncoder:
		return enc, nil
	default:
		return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
			zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(windowSize))
	}
}

func giveBack(enc *zstd.Encoder) {
	select {
	case idleEncoder <- enc:
	default: // of recordings that were packed at the same time, one encoder is kept
		_ = enc.Close()
	}
}

// readFrame appends the lines of one frame.
func readFrame(in *bufio.Reader, b []byte) (lines []byte, more bool, err error) {
	for n := 0; n < frameTurns && len(b) < framePlain; {
		part, err := in.ReadSlice('\n')
		b = append(b, part...)
		switch {
		case err == nil:
			n++
		case err == io.EOF:
			return b, false, nil
		case err != bufio.ErrBufferFull:
			return b, false, err
		}
	}
	return b, true, nil
}

func appendSeekTable(b []byte, table []seekEntry) []byte {
	b = binary.LittleEndian.AppendUint32(b, skippableMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(8*len(table)+seekFooter))
	for _, e := range table {
		b = binary.LittleEndian.AppendUint32(b, e.packed)
		b = binary.LittleEndian.AppendUint32(b, e.plain)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(table)))
	b = append(b, 0) // no checksums: the frames have their own
	return binary.LittleEndian.AppendUint32(b, seekableMagic)
}

// extent is where the frames of a finished recording are, and how many bytes
// they hold.
type extent struct{ from, to, plain int64 }

// findFrames reads the table at the end of a file, if there is one.
func findFrames(r io.ReaderAt, size int64) (e extent, found bool, err error) {
	var foot [seekFooter]byte
	if size < seekHeader+seekFooter {
		return e, false, nil
	}
	if _, err := r.ReadAt(foot[:], size-seekFooter); err != nil {
		return e, false, err
	}
	if binary.LittleEndian.Uint32(foot[5:]) != seekableMagic {
		return e, false, nil
	}
	frames := int64(binary.LittleEndian.Uint32(foot[:]))
	e.to = size - seekHeader - 8*frames - seekFooter
	if e.to < 0 || foot[4] != 0 {
		return e, true, errTable
	}
	in := bufio.NewReader(io.NewSectionReader(r, e.to, size-e.to))
	var pair [8]byte
	if _, err := io.ReadFull(in, pair[:]); err != nil {
		return e, true, err
	}
	if binary.LittleEndian.Uint32(pair[:]) != skippableMagic ||
		int64(binary.LittleEndian.Uint32(pair[4:])) != 8*frames+seekFooter {
		return e, true, errTable
	}
	e.from = e.to
	for range frames {
		if _, err := io.ReadFull(in, pair[:]); err != nil {
			return e, true, err
		}
		e.from -= int64(binary.LittleEndian.Uint32(pair[:]))
		e.plain += int64(binary.LittleEndian.Uint32(pair[4:]))
	}
	if e.from < 0 {
		return e, true, errTable
	}
	return e, true, nil
}

var errTable = errors.New("the table at its end does not fit it")
