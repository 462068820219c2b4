# The program in an image: for the CronJob of docs/monitoring.md and the init container of docs/recipes/.
# The build context is release/, where `npm run package` leaves a folder for each platform.
FROM debian:12-slim

ARG TARGETARCH
COPY linux-${TARGETARCH}/kubectl-ztunnel /usr/local/bin/kubectl-ztunnel
COPY linux-${TARGETARCH}/LICENSE linux-${TARGETARCH}/THIRD-PARTY-NOTICES.txt /usr/share/doc/kubectl-ztunnel/

# A number, so that runAsNonRoot can tell that it is not root.
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/kubectl-ztunnel"]
