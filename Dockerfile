# The server in an image that holds nothing but the binary.
#
#   docker build -t hexarena .
#   docker run --rm -p 4242:4242 -p 127.0.0.1:8080:8080 hexarena

ARG GO_IMAGE=docker.io/library/golang:1.26-bookworm

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/hexarena ./cmd/hexarena \
    && mkdir -p /out/recordings

FROM scratch
COPY --from=build /out/hexarena /hexarena
COPY --from=build --chown=65532:65532 /out/recordings /recordings
USER 65532:65532
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
