// Package paint is Go's side of the painter, static/paint*.js: it names cards,
// runs and settings, and hands on the workers' buffers unread.
package paint
