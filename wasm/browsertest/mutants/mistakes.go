//go:build !js

package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
)

// mistake is a change of a part of a file.
type mistake struct {
	file     string
	whole    []byte
	from, to int // in whole
	by       string
}

func (m mistake) text() []byte {
	return slices.Concat(m.whole[:m.from], []byte(m.by), m.whole[m.to:])
}

// String says where the mistake is, and its line before and after.
func (m mistake) String() string {
	line := func(text []byte, from int) []byte {
		begin := bytes.LastIndexByte(text[:from], '\n') + 1
		end := bytes.IndexByte(text[from:], '\n')
		if end < 0 {
			end = len(text) - from
		}
		return bytes.TrimSpace(text[begin : from+end])
	}
	return fmt.Sprintf("%s:%d: %s → %s", m.file, 1+bytes.Count(m.whole[:m.from], []byte("\n")), line(m.whole, m.from), line(m.text(), m.from))
}

// swapped are the operators that one types for another.
var swapped = map[token.Token]string{
	token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.EQL: "!=", token.NEQ: "==",
	token.ADD: "-", token.SUB: "+", token.MUL: "/", token.QUO: "*", token.REM: "*",
	token.LAND: "||", token.LOR: "&&", token.SHL: ">>", token.SHR: "<<", token.AND: "|", token.OR: "&",
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.INC: "--", token.DEC: "++",
	token.BREAK: "continue", token.CONTINUE: "break",
}

// mistakes are those that can be made in the functions of a file.
func mistakes(file string, text []byte) (list []mistake, err error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	put := func(from token.Pos, to token.Pos, by string) {
		list = append(list, mistake{file, text, at(from), at(to), by})
	}
	operator := func(p token.Pos, t token.Token) {
		if by, ok := swapped[t]; ok {
			put(p, p+token.Pos(len(t.String())), by)
		}
	}
	visit := func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			operator(n.OpPos, n.Op)
		case *ast.IncDecStmt:
			operator(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			if n.Label == nil {
				operator(n.TokPos, n.Tok)
			}
		case *ast.AssignStmt:
			operator(n.TokPos, n.Tok)
			if n.Tok != token.DEFINE {
				put(n.Pos(), n.End(), "") // often no program: a value that is not used
			}
		case *ast.ExprStmt:
			put(n.Pos(), n.End(), "")
		case *ast.IfStmt:
			put(n.Cond.Pos(), n.Cond.End(), "!("+string(text[at(n.Cond.Pos()):at(n.Cond.End())])+")")
		case *ast.Ident:
			if n.Name == "true" || n.Name == "false" {
				put(n.Pos(), n.End(), map[string]string{"true": "false", "false": "true"}[n.Name])
			}
		case *ast.BasicLit:
			if n.Kind == token.INT {
				if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
					put(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
				}
			}
		}
		return true
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			ast.Inspect(f.Body, visit)
		}
	}
	return list, nil
}
