// Package pagetest holds the tests of the page in a real browser, and nothing
// else: no program imports it. Each test plays a match in this process, serves
// its page and drives a headless Chromium, which TestMain starts once for all
// of them. They take a minute, so they have a build tag of their own: make
// browser runs them. Without Chromium they are skipped. How fast the page is
// measure says, beside them; make frames and make seek run it.
//
// With the environment variable HEXARENA_SCREENSHOTS set to a folder, pictures
// of the states that the tests go through are written there. Those of the
// documentation are made by make pictures.
package pagetest
