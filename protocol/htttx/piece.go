package htttx

import (
	"fmt"
	"strconv"

	"github.com/hexarena/hexarena/protocol/jsonscan"
)

// Side is one of the two sides. The zero Side stands for neither.
type Side byte

// The sides. Cross has the first piece on the board, circle the first move.
const (
	Cross  Side = 'x'
	Circle Side = 'o'
)

// Other returns the opponent of s.
func (s Side) Other() Side {
	if s == Cross {
		return Circle
	}
	return Cross
}

// String returns "x", "o" or, for the zero Side, "none".
func (s Side) String() string {
	if s == 0 {
		return "none"
	}
	return string(rune(s))
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Side) UnmarshalText(text []byte) error {
	switch string(text) {
	case "x", "o":
		*s = Side(text[0])
		return nil
	}
	return fmt.Errorf("%q is no side", text)
}

// Cell is a cell of the board in axial coordinates.
type Cell struct {
	Q int32 `json:"q"`
	R int32 `json:"r"`
}

// Piece is a cell with a side's piece on it.
type Piece struct {
	Cell
	Side Side
}

// MovePieces is the number of pieces of a move, unless the first one wins.
const MovePieces = 2

// Move is the pieces placed by a side, in order.
type Move struct {
	Side   Side
	Pieces []Cell // one or two
}

// AppendBoard appends a board in the form that packets carry.
func AppendBoard(dst []byte, pieces []Piece) []byte {
	dst = append(dst, `{"cells":[`...)
	for i, p := range pieces {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCoord(dst, p.Cell)
		dst = append(dst, `,"p":"`...)
		dst = append(dst, byte(p.Side), '"', '}')
	}
	return append(dst, "]}"...)
}

// AppendPiece appends a board written by AppendBoard, with one more piece.
func AppendPiece(dst, board []byte, p Piece) []byte {
	const tail = "]}"
	dst = append(dst, board[:len(board)-len(tail)]...)
	if dst[len(dst)-1] != '[' {
		dst = append(dst, ',')
	}
	dst = appendCoord(dst, p.Cell)
	dst = append(dst, `,"p":"`...)
	dst = append(dst, byte(p.Side), '"', '}')
	return append(dst, tail...)
}

// ParseBoard parses a board in the form that packets carry. It does not check whether two
// pieces share a cell.
func ParseBoard(board []byte) ([]Piece, error) {
	v, err := parseObject(board)
	if err != nil {
		return nil, err
	}
	return boardPieces(v)
}

func boardPieces(board jsonscan.Value) ([]Piece, error) {
	cells := board.Field("cells")
	if err := need(cells, "board.cells", jsonscan.Array); err != nil {
		return nil, err
	}
	pieces := []Piece{}
	for i, v := range cells.Elements() {
		path := "board.cells[" + strconv.Itoa(i) + "]"
		cell, err := parseCell(v, path)
		if err != nil {
			return nil, err
		}
		side, err := parseSide(v.Field("p"), path+".p")
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, Piece{cell, side})
	}
	return pieces, nil
}

// needBoard returns the field board of a packet after checking it.
func needBoard(obj jsonscan.Value) (jsonscan.Value, error) {
	v, err := needField(obj, "board", jsonscan.Object)
	if err == nil {
		_, err = boardPieces(v)
	}
	return v, err
}

func parseSide(v jsonscan.Value, path string) (Side, error) {
	if err := need(v, path, jsonscan.String); err != nil {
		return 0, err
	}
	for _, s := range [...]Side{Cross, Circle} {
		if v.Is(s.String()) {
			return s, nil
		}
	}
	return 0, &Fault{path, `is neither "x" nor "o": ` + quoted(v)}
}

func parseCell(v jsonscan.Value, path string) (c Cell, err error) {
	if err = need(v, path, jsonscan.Object); err != nil {
		return c, err
	}
	if c.Q, err = integer(v.Field("q"), path+".q"); err != nil {
		return c, err
	}
	c.R, err = integer(v.Field("r"), path+".r")
	return c, err
}

// parsePieces parses the pieces of a move: one or two.
func parsePieces(v jsonscan.Value, path string) ([]Cell, error) {
	if err := need(v, path, jsonscan.Array); err != nil {
		return nil, err
	}
	cells := make([]Cell, 0, MovePieces)
	for i, v := range v.Elements() {
		if i == MovePieces {
			return nil, &Fault{path, "has more than two pieces"}
		}
		c, err := parseCell(v, path+"["+strconv.Itoa(i)+"]")
		if err != nil {
			return nil, err
		}
		cells = append(cells, c)
	}
	if len(cells) == 0 {
		return nil, &Fault{path, "has no piece"}
	}
	return cells, nil
}

// appendCoord appends a cell without the closing brace.
func appendCoord(dst []byte, c Cell) []byte {
	dst = append(dst, `{"q":`...)
	dst = strconv.AppendInt(dst, int64(c.Q), 10)
	dst = append(dst, `,"r":`...)
	return strconv.AppendInt(dst, int64(c.R), 10)
}

func appendPieces(dst []byte, cells []Cell) []byte {
	dst = append(dst, `"pieces":[`...)
	for i, c := range cells {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendCoord(dst, c), '}')
	}
	return append(dst, ']')
}
