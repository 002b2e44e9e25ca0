package io.penstock.context;

/** The name of the container, for applications. It is not sent to clients. */
final class ServerInfo {
    static final String TEXT = "Penstock/" + version();

    private ServerInfo() {}

    private static String version() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
