package io.penstock.peer.boot;

/**
 * The server on which the application runs.
 *
 * @param name the server's name and version, for a table
 */
record Underneath(String name) {
    /**
     * The name of the property with the size of the send buffer of the server's socket for each client, in bytes. With 0 the kernel chooses
     * the size.
     */
    static final String SEND_BUFFER = "peer.send-buffer";
}
