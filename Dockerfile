# The server in an image that holds nothing but the binary.
#
#   docker build -t hexarena .
#   docker run --rm -p 4242:4242 -p 127.0.0.1:8080:8080 hexarena
#
# With --target event, the image also has the programs of other systems, which an event offers its teams:
#
#   docker build -t hexarena-event --target event .
#   docker run --rm -it -p 4242:4242 -v event:/recordings hexarena-event event /recordings/friday --url http://ADDRESS:4242

ARG GO_IMAGE=docker.io/library/golang:1.26-bookworm

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/hexarena ./cmd/hexarena \
    && mkdir -p /out/recordings && chmod 0775 /out/recordings

# Packed, since forty teams fetch them over one network. Windows has tar, too.
FROM build AS programs
ARG VERSION=dev
ARG SYSTEMS="linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64"
RUN mkdir -p /out/binaries && for system in ${SYSTEMS}; do \
        name="hexarena-${VERSION}-${system%/*}-${system#*/}" \
        && CGO_ENABLED=0 GOOS="${system%/*}" GOARCH="${system#*/}" \
            go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o "/out/${name}/" ./cmd/hexarena \
        && tar -czf "/out/binaries/${name}.tar.gz" -C /out "${name}" \
        || exit 1; \
    done

FROM scratch AS server
COPY --from=build /out/hexarena /hexarena
# Any user may run it: one that a platform chooses belongs to the group 0, as on OpenShift.
COPY --from=build --chown=65532:0 /out/recordings /recordings
USER 65532:65532
# cup and event write below the current folder if they are given none.
WORKDIR /recordings
# Probes are answered inside the container only, independently of the load on the other ports.
ENV HEXARENA_HTTP=:8080 \
    HEXARENA_HEALTH=127.0.0.1:8081 \
    HEXARENA_RECORD=/recordings
EXPOSE 4242 8080
VOLUME /recordings
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s CMD ["/hexarena", "health"]
ENTRYPOINT ["/hexarena"]
CMD ["serve"]

FROM server AS event
COPY --from=programs /out/binaries /binaries

# The last stage is what is built without --target.
FROM server
