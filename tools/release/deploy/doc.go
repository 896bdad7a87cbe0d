// Package deploy checks the files for deploying hexarena: the Dockerfile, the files in
// deploy/, and, with the build tag image, the image itself, which buildah builds and runs
// without a daemon.
package deploy
