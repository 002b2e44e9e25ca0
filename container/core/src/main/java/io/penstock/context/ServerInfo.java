package io.penstock.context;

/** The name of the container, for applications. The name is not sent to clients. */
public final class ServerInfo {
    public static final String VERSION = version();

    static final String TEXT = "Penstock/" + VERSION;

    private ServerInfo() {}

    private static String version() {
        String version = ServerInfo.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}
