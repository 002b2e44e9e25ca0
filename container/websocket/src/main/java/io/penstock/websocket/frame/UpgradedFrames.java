package io.penstock.websocket.frame;

import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The upgrade handler of one WebSocket connection of the server: {@code request.upgrade(UpgradedFrames.class).prepare(…)}. Its connection
 * ends with 1001 if the server or the application ends.
 */
public final class UpgradedFrames implements HttpUpgradeHandler {

    /**
     * Must be called before the 101 response ends.
     *
     * @param opened called by a worker when the response has been sent; returns the listener of the connection
     * @param unfinished the share in the memory of unfinished messages
     */
    public void prepare(
            @Nullable DeflateParameters deflate,
            UnfinishedMessages unfinished,
            Function<FrameConnection, FrameListener> opened) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void init(WebConnection connection) {}

    @Override
    public void destroy() {}
}
