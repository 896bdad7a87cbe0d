// Package schemas checks that the JSON Schemas in docs/schemas are valid, and accept the messages,
// states and actions of the other tests and of the documentation.
package schemas
