package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
)

// billOfMaterials returns, in CycloneDX 1.6, what the program consists of: Go, the modules that are
// linked into it, and the packages in its page.
func (p *program) billOfMaterials() ([]byte, error) {
	components := []cyclonedx.Component{{
		Type: cyclonedx.ComponentTypeLibrary, Name: "std", Version: p.info.GoVersion,
		PackageURL: "pkg:golang/std@" + strings.TrimPrefix(p.info.GoVersion, "go"),
	}}
	for _, m := range p.info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, Name: m.Path, Version: m.Version,
			PackageURL: goPackage(m.Path, m.Version),
		}
		if err := addHash(&c, cyclonedx.HashAlgoSHA256, "h1:", m.Sum); err != nil {
			return nil, err
		}
		components = append(components, c)
	}
	for _, n := range p.page {
		c := cyclonedx.Component{
			Type: cyclonedx.ComponentTypeLibrary, Name: path.Base(n.Name), Version: n.Version,
			PackageURL: "pkg:npm/" + strings.Replace(n.Name, "@", "%40", 1) + "@" + n.Version,
			Licenses:   &cyclonedx.Licenses{{License: &cyclonedx.License{ID: n.License}}},
		}
		if n.Name != c.Name {
			c.Group = path.Dir(n.Name)
		}
		if err := addHash(&c, cyclonedx.HashAlgoSHA512, "sha512-", n.Integrity); err != nil {
			return nil, err
		}
		components = append(components, c)
	}
	for i := range components {
		components[i].BOMRef = components[i].PackageURL
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: p.time.Format(time.RFC3339), Component: p.component(),
	}
	bom.Components = &components
	var text bytes.Buffer
	err := cyclonedx.NewBOMEncoder(&text,
		cyclonedx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cyclonedx.SpecVersion1_6)
	return text.Bytes(), err
}

// component describes hexarena itself.
func (p *program) component() *cyclonedx.Component {
	purl := goPackage(p.info.Main.Path, p.version)
	return &cyclonedx.Component{
		BOMRef: purl, Type: cyclonedx.ComponentTypeApplication, Name: "hexarena", Version: p.version,
		PackageURL: purl,
		Hashes: &[]cyclonedx.Hash{
			{Algorithm: cyclonedx.HashAlgoSHA256, Value: fmt.Sprintf("%x", sha256.Sum256(p.binary))},
		},
		Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
		ExternalReferences: &[]cyclonedx.ExternalReference{
			{Type: cyclonedx.ERTypeVCS, URL: home + "/tree/" + p.commit},
		},
		Properties: &[]cyclonedx.Property{{Name: "hexarena:target", Value: p.target.String()}},
	}
}

// goPackage returns the package URL of a module.
func goPackage(path, version string) string {
	return "pkg:golang/" + strings.ToLower(path) + "@" + version
}

// addHash adds a hash that a lock file has in base64 behind a prefix.
func addHash(c *cyclonedx.Component, algorithm cyclonedx.HashAlgorithm, prefix, text string) error {
	encoded, ok := strings.CutPrefix(text, prefix)
	sum, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil {
		return fmt.Errorf("%s %s has the hash %q: want %s and base64", c.Name, c.Version, text, prefix)
	}
	c.Hashes = &[]cyclonedx.Hash{{Algorithm: algorithm, Value: fmt.Sprintf("%x", sum)}}
	return nil
}
