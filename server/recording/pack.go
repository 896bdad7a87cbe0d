package recording

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"

	"github.com/hexarena/hexarena/server/machine/processors"
)

// A finished recording consists of its lines in independent zstd frames and the table of
// the zstd seekable format.

// seekEntry is the entry of a frame in the table.
type seekEntry struct{ packed, plain uint32 }

// Numbers of the zstd seekable format.
const (
	skippableMagic = 0x184D2A5E
	seekableMagic  = 0x8F92EAB1
	seekHeader     = 8 // bytes: magic, size
	seekFooter     = 9 // bytes: number of frames, descriptor, magic
)

// pack replaces the lines in a file by compressed frames. A kill or a power failure at any
// time loses nothing, and no second file is needed: the frames are written after the lines,
// then the footer by which readers find them; then they are copied to the beginning, and then
// the rest is truncated. Each step begins when the one before is synced, so that frames with
// a footer are whole, and the lines are as long as there is no footer.
func (f *file) pack(p *Packer) error {
	lines := f.size
	from, to := io.NewSectionReader(f, 0, lines), io.NewOffsetWriter(f, lines)
	size, longest, footer, err := p.packLines(from, to)
	packed := size + int64(len(footer))
	// If the frames are longer than the lines, the copies would overlap; and lines that
	// compress beyond the limits of a reader stay uncompressed.
	if err != nil || packed > lines || lines > maxPlain(packed) || longest > maxLineOf(packed) {
		return errors.Join(err, f.Truncate(lines))
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if _, err := f.WriteAt(footer, lines+size); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if _, err := io.Copy(io.NewOffsetWriter(f, 0), io.NewSectionReader(f, lines, packed)); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Truncate(packed)
}

// packLines compresses lines and writes the frames and their table without its footer, which
// it returns with the number of bytes written and the size of the longest line.
func (p *Packer) packLines(
	src io.Reader, dst io.Writer,
) (size, longest int64, footer []byte, err error) {
	enc, err := p.encoder()
	if err != nil {
		return 0, 0, nil, fmt.Errorf("zstd: %w", err)
	}
	defer processors.Use()()
	in := bufio.NewReaderSize(src, 64<<10)
	out := bufio.NewWriterSize(dst, 64<<10)
	var table []seekEntry
	var plain, packed []byte
	var line int64 // bytes of the current line
	for more := true; more; {
		plain, more, err = readFrame(in, plain[:0])
		if err != nil {
			return 0, 0, nil, err
		}
		if len(plain) == 0 {
			break
		}
		for part := range bytes.Lines(plain) { // a long line may continue in the next frame
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
			return 0, 0, nil, err
		}
	}
	tail := appendSeekTable(nil, table)
	body := len(tail) - seekFooter
	_, err = out.Write(tail[:body])
	return size + int64(body), longest, tail[body:], errors.Join(err, out.Flush())
}

// Packer compresses finished recordings. The zero value is ready for use, by several
// goroutines. All recordings of a server have the same one: a server that made one for each
// match would produce more garbage by that than by the matches themselves.
type Packer struct {
	once sync.Once
	enc  *zstd.Encoder
	err  error
}

// maxPacked is the number of recordings that are compressed at the same time; others wait after
// each frame. A recording takes milliseconds, and each more of them 0.6 MB.
const maxPacked = 4

// encoder returns the encoder, which it makes at the first call. A level that compresses 7 %
// better would take ten times the memory; the level in between gains nothing.
func (p *Packer) encoder() (*zstd.Encoder, error) {
	p.once.Do(func() {
		p.enc, p.err = zstd.NewWriter(nil,
			zstd.WithEncoderConcurrency(min(maxPacked, processors.Allowed())),
			zstd.WithLowerEncoderMem(true), zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithWindowSize(windowSize))
	})
	return p.enc, p.err
}

// readFrame appends the lines of the next frame to b. more is false at the end.
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

// extent is the position of the frames of a finished recording and the size of their
// contents.
type extent struct{ from, to, plain int64 }

// findFrames reads the table at the end of a file. found is false if the file has no table.
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

var errTable = errors.New("its seek table does not match the file")
