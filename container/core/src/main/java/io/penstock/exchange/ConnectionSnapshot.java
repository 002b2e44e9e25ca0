package io.penstock.exchange;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;

/**
 * One connection at one moment, for the operator.
 *
 * @param connection the connection's name
 * @param ageNanos since it was opened
 * @param request the request that arrives or is served, or whose response is being sent; empty if there is none, or if its head has not
 * arrived
 * @param requestInMemory bytes of request bodies in its pipes, and bytes of later requests
 * @param requestOnDisk bytes of request bodies on disk, or on their way there
 * @param responseInMemory bytes that wait in memory for the client to take them
 * @param responseInFiles bytes that wait in files: those of a spooled response, or of a file that is served
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

    /** The client's address, as text; clients of Unix domain sockets mostly have none. */
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
