package io.penstock.peer.boot;

/**
 * The server under the application.
 *
 * @param name the server's name and version, for a table
 */
record Underneath(String name) {
    /** The property of the send buffer of each client's socket, in bytes; 0 leaves it to the kernel. */
    static final String SEND_BUFFER = "peer.send-buffer";
}
