// Package chromium starts a headless Chromium for tests, measurements and pictures of the
// page. All of them have the build tag browser, since they need a large library.
package chromium
