package io.penstock.context;

/** How the container names itself to applications; to clients it says nothing. */
final class ServerInfo {
    static final String TEXT = "Penstock/" + version();

    private ServerInfo() {}

    private static String version() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
