package io.penstock.exchange;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;

/**
 * The state of one connection at one moment, for the operator.
 *
 * @param connection the connection's name
 * @param remote the client's address
 * @param state the event that the connection waits for
 * @param ageNanos the number of nanoseconds since the connection was opened
 * @param request a description of the request that is in this state. Empty if there is no such request, or if its head has not arrived
 *     completely
 * @param otherRequests descriptions of the connection's other requests, from the arrival of their heads until their responses have been sent
 * @param requestInMemory the number of bytes in memory that belong to request bodies or to bytes that were not framed yet
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
        List<String> otherRequests,
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
