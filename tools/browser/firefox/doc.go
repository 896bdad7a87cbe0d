// Package firefox drives a headless Firefox over WebDriver BiDi, as far as the walks of package
// pagetest need it.
package firefox
