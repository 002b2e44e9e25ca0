package io.penstock.exchange;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/**
 * One connection at one moment, for the operator.
 *
 * @param connection the connection's name
 * @param ageNanos nanoseconds since the connection was opened
 * @param request the current request: it arrives, is served, or its response is being sent. Empty if there is no current request, or if its
 * head has not arrived
 * @param requestInMemory bytes of request bodies in pipes, and bytes of later requests
 * @param requestOnDisk bytes of request bodies that are on disk or are being written
 * @param responseInMemory bytes of responses in memory that the client has not accepted yet
 * @param responseInFiles bytes in files that the client has not accepted yet: of spooled responses and of served files
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

    /** The client's address as text. Clients of Unix domain sockets usually have none. */
    public String client() {
        String address = remote.toString();
        return remote instanceof UnixDomainSocketAddress ? "unix:" + address : address;
    }

    /** Bytes of requests, in memory and on disk. */
    public long requestBytes() {
        return requestInMemory + requestOnDisk;
    }

    /** Bytes of responses, in memory and in files. */
    public long responseBytes() {
        return responseInMemory + responseInFiles;
    }
}
