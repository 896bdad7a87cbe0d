// Package chromium starts a headless Chromium, for the tests of the page, for
// what measures it and for what takes its pictures. All of them have the build
// tag browser, since they bring a large library along.
package chromium
