// Package pagetest holds the tests of the page in a real browser, and nothing
// else: no program imports it. Each test plays a match in this process, serves
// its page and drives a headless Chromium, which TestMain starts once for all
// of them. They take a minute and therefore have a build tag: make
// browser runs them. Without Chromium they are skipped. What a class does most is also
// walked through in a Firefox, if there is one, which the package firefox drives. The package
// measure measures the page's speed; make frames and make seek run it.
//
// If the environment variable HEXARENA_SCREENSHOTS names a folder, pictures of the pages that the
// tests open are written there. make views does so for every view of the page, to be looked at;
// make pictures makes those of the documentation.
package pagetest
