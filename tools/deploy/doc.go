// Package deploy checks the files that hexarena is deployed with: the
// Dockerfile, what stands in deploy/, and, with the build tag image, the image
// itself, which buildah builds and runs without a daemon.
package deploy
