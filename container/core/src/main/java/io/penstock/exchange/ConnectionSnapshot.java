package io.penstock.exchange;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/**
 * The state of one connection at one moment, for the operator.
 *
 * @param connection the connection's name
 * @param remote the client's address
 * @param state the event that the connection waits for
 * @param ageNanos the number of nanoseconds since the connection was opened
 * @param request a description of the current request. A request is current from its arrival until its response has been sent. Empty if
 *     there is no current request, or if the head of the request has not arrived completely
 * @param requestInMemory the number of bytes in memory that belong to request bodies or to requests that arrived after the current request
 * @param requestOnDisk the number of bytes of request bodies that are on disk or are being written to disk
 * @param responseInMemory the number of bytes of responses in memory that the client has not accepted yet
 * @param responseInFiles the number of bytes in files that the client has not accepted yet. The files are spool files of responses, and
 *     files that the server sends
 */
public record ConnectionSnapshot(
        String connection,
        SocketAddress remote,
        ConnectionState state,
        long ageNanos,
        String request,
        long requestInMemory,
        long requestOnDisk,
        long responseInMemory,
        long responseInFiles) {

    /**
     * The client's address as text. For a client of a Unix domain socket, the prefix {@code unix:} and the path of the client's socket,
     * which is usually empty.
     */
    public String client() {
        String address = remote.toString();
        return remote instanceof UnixDomainSocketAddress ? "unix:" + address : address;
    }

    /** The number of bytes of requests, in memory and on disk. */
    public long requestBytes() {
        return requestInMemory + requestOnDisk;
    }

    /** The number of bytes of responses, in memory and in files. */
    public long responseBytes() {
        return responseInMemory + responseInFiles;
    }
}
