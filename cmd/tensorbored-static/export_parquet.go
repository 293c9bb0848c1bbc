package main

import (
	"encoding/binary"
	"io"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tensorbored/tensorbored-static/shared/series"
)

// A Parquet file is a mark, groups of rows, and a footer that says where each column of
// each group stands (https://parquet.apache.org/docs/file-format/). Names are numbers into
// a dictionary, steps are differences, times and values stand as they are; each page is
// packed with zstd.
//
// Encodings and headers are those of parquet-go. Its own writer is not used: it brings a
// reader, filters, and code for every pair of types, which were 7.3 MB of this program, a
// third. The tests read what is written here by that reader.

const (
	// parquetMark stands at the end of Parquet files that were written here.
	parquetMark = "tensorbored-static.export"

	parquetMagic = "PAR1"
	// parquetGroup is how many rows are held before they are written: 9 MB.
	parquetGroup = 1 << 18
	// parquetPage is how many values a page has at most.
	parquetPage = 1 << 16
	// longestBound is the length in bytes of a name that is given as the least or the
	// greatest of a group.
	longestBound = 256
)

// dictionary is a column of names: numbers into a dictionary, which begins anew with each group.
type dictionary struct {
	ids   []int32
	known map[string]int32
	names []string
}

func (d *dictionary) add(name string, n int) {
	id, ok := d.known[name]
	if !ok {
		if d.known == nil {
			d.known = map[string]int32{}
		}
		id = int32(len(d.names))
		d.known[name] = id
		d.names = append(d.names, name)
	}
	for range n {
		d.ids = append(d.ids, id)
	}
}

func (d *dictionary) reset() { d.ids, d.names, d.known = d.ids[:0], d.names[:0], nil }

type parquetWriter struct {
	w      io.Writer
	pack   *zstd.Encoder
	at     int64 // bytes written
	err    error // the first; nothing is written after it
	run    dictionary
	tag    dictionary
	step   []int64
	wall   []float64
	value  []float64
	footer format.FileMetaData
	buf    []byte
}

func newParquet(w io.Writer) pointWriter {
	pack, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	return &parquetWriter{w: w, pack: pack, err: err}
}

func (p *parquetWriter) points(run, tag string, c *series.Columns) error {
	for i := 0; i < len(c.Step); {
		n := min(len(c.Step)-i, parquetGroup-len(p.step))
		p.run.add(run, n)
		p.tag.add(tag, n)
		for _, s := range c.Step[i : i+n] {
			p.step = append(p.step, series.Step(s))
		}
		p.wall = append(p.wall, c.Wall[i:i+n]...)
		p.value = append(p.value, c.Value[i:i+n]...)
		if i += n; len(p.step) == parquetGroup {
			p.group()
		}
	}
	return p.err
}

func (p *parquetWriter) end() error {
	if len(p.step) > 0 {
		p.group()
	}
	if p.at == 0 {
		p.write([]byte(parquetMagic))
	}
	text := func(name string) format.SchemaElement {
		e := column(name, format.ByteArray)
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType = format.LogicalType{Value: new(format.StringType)}
		return e
	}
	p.footer.Version = 1
	p.footer.Schema = []format.SchemaElement{
		{Name: "points", NumChildren: thrift.New[int32](5)},
		text("run"), text("tag"), column("step", format.Int64), column("wall_time", format.Double), column("value", format.Double),
	}
	for range 5 {
		p.footer.ColumnOrders = append(p.footer.ColumnOrders, format.ColumnOrder{Value: new(format.TypeDefinedOrder)})
	}
	p.footer.KeyValueMetadata = []format.KeyValue{{Key: parquetMark, Value: "1"}}
	p.footer.CreatedBy = "tensorbored-static"
	n := p.header(&p.footer)
	p.write(binary.LittleEndian.AppendUint32(nil, uint32(n)))
	p.write([]byte(parquetMagic))
	return p.err
}

func column(name string, kind format.Type) format.SchemaElement {
	return format.SchemaElement{Name: name, Type: thrift.New(kind), RepetitionType: thrift.New(format.Required)}
}

func (p *parquetWriter) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
		p.at += int64(len(b))
	}
}

// header writes a structure of the format and returns its length.
func (p *parquetWriter) header(v any) int {
	b, err := thrift.Marshal(new(thrift.CompactProtocol), v)
	if p.err == nil {
		p.err = err
	}
	p.write(b)
	return len(b)
}

// group writes the rows that are held.
func (p *parquetWriter) group() {
	if p.at == 0 {
		p.write([]byte(parquetMagic))
	}
	g := format.RowGroup{NumRows: int64(len(p.step)), FileOffset: p.at, Ordinal: int16(len(p.footer.RowGroups))}
	add := func(m format.ColumnMetaData) {
		m.Codec, m.NumValues = format.Zstd, g.NumRows
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: m})
		g.TotalByteSize += m.TotalUncompressedSize
		g.TotalCompressedSize += m.TotalCompressedSize
	}
	add(p.names("run", &p.run))
	add(p.names("tag", &p.tag))
	m := chunk("step", format.Int64, format.DeltaBinaryPacked, p.at)
	m.Statistics = bounds(p.step, func(v int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) })
	add(p.pages(m, func(b []byte, from, to int) ([]byte, error) {
		return new(delta.BinaryPackedEncoding).EncodeInt64(b, p.step[from:to])
	}))
	add(p.decimals("wall_time", p.wall))
	add(p.decimals("value", p.value))
	p.footer.RowGroups = append(p.footer.RowGroups, g)
	p.footer.NumRows += g.NumRows
	p.run.reset()
	p.tag.reset()
	p.step, p.wall, p.value = p.step[:0], p.wall[:0], p.value[:0]
}

func chunk(name string, kind format.Type, encoding format.Encoding, at int64) format.ColumnMetaData {
	return format.ColumnMetaData{Type: kind, Encoding: []format.Encoding{encoding}, PathInSchema: []string{name}, DataPageOffset: at}
}

// names writes a dictionary and the numbers into it.
func (p *parquetWriter) names(name string, d *dictionary) format.ColumnMetaData {
	m := chunk(name, format.ByteArray, format.RLEDictionary, p.at)
	m.Encoding = append(m.Encoding, format.Plain)
	m.DictionaryPageOffset = p.at
	plain := p.buf[:0]
	for _, name := range d.names {
		plain = append(binary.LittleEndian.AppendUint32(plain, uint32(len(name))), name...)
	}
	p.buf = plain
	p.page(&m, format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{
		NumValues: int32(len(d.names)), Encoding: format.Plain})}, plain)
	m.DataPageOffset = p.at
	m.Statistics = bounds(d.names, func(name string) []byte { return []byte(name) })
	width := bits.Len(uint(len(d.names) - 1))
	return p.pages(m, func(b []byte, from, to int) ([]byte, error) {
		packed, err := (&rle.Encoding{BitWidth: width}).EncodeInt32(b, d.ids[from:to])
		return append([]byte{byte(width)}, packed...), err
	})
}

func (p *parquetWriter) decimals(name string, values []float64) format.ColumnMetaData {
	m := chunk(name, format.Double, format.Plain, p.at)
	m.Statistics = bounds(values, func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) })
	return p.pages(m, func(b []byte, from, to int) ([]byte, error) {
		b = b[:0]
		for _, v := range values[from:to] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		return b, nil
	})
}

// pages writes a column of the rows that are held; encode gives those in [from, to), in b
// if they have room there.
func (p *parquetWriter) pages(m format.ColumnMetaData, encode func(b []byte, from, to int) ([]byte, error)) format.ColumnMetaData {
	for from := 0; from < len(p.step); from += parquetPage {
		to := min(from+parquetPage, len(p.step))
		b, err := encode(p.buf[:0], from, to)
		if p.err == nil {
			p.err = err
		}
		p.buf = b
		p.page(&m, format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(format.DataPageHeader{
			NumValues: int32(to - from), Encoding: m.Encoding[0], DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE})}, b)
	}
	return m
}

// page packs and writes a page, and adds it to what the footer says of its column.
func (p *parquetWriter) page(m *format.ColumnMetaData, h format.PageHeader, plain []byte) {
	if p.err != nil {
		return // there may be nothing that packs
	}
	packed := p.pack.EncodeAll(plain, nil)
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(plain)), int32(len(packed))
	n := p.header(&h)
	p.write(packed)
	m.TotalUncompressedSize += int64(n + len(plain))
	m.TotalCompressedSize += int64(n + len(packed))
}

// bounds are the least and the greatest value, by which readers leave groups out; none if
// one is no number, or so long that it would make the footer large.
func bounds[T int64 | float64 | string](values []T, write func(T) []byte) format.Statistics {
	least, greatest := values[0], values[0]
	for _, v := range values {
		if v != v {
			return format.Statistics{}
		}
		least, greatest = min(least, v), max(greatest, v)
	}
	low, high := write(least), write(greatest)
	if len(low) > longestBound || len(high) > longestBound {
		return format.Statistics{}
	}
	return format.Statistics{MinValue: low, MaxValue: high}
}
