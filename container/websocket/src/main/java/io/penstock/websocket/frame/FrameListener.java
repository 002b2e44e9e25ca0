package io.penstock.websocket.frame;

import java.nio.ByteBuffer;

/**
 * Receives what arrives on a {@link FrameConnection}. Pings are answered by the connection and are not reported.
 *
 * <p>Thread: the thread that feeds the connection, or a job of {@link Transport#execute}: never two at once, and in the order of arrival.
 * An exception of a method fails the connection with the close code 1011.
 */
public interface FrameListener {

    /**
     * A text message, or a part of one if the connection delivers parts ({@link FrameConnection#textInParts}). A part ends between two
     * code points.
     */
    void onText(String text, boolean last);

    /** A binary message, or a part of one. The buffer belongs to the listener. */
    void onBinary(ByteBuffer bytes, boolean last);

    /** A pong. The buffer belongs to the listener. */
    void onPong(ByteBuffer payload);

    /**
     * The peer has violated the protocol or a limit. The close frame has already been queued, so nothing can be sent any more (RFC 6455
     * section 7.1.7). When this method returns, the connection calls {@link #onClose}.
     */
    void onError(Throwable violation);

    /**
     * The connection is closed for a reason that the application has not given: the peer's close frame, the end of the stream or an idle
     * timeout (1006), a violation (1002, 1007, 1009), the end of the server or application (1001). Called at most once, and not after
     * {@link FrameConnection#close}. The close frame that answers has already been queued.
     *
     * @param code the peer's code, 1005 if its close frame has none
     */
    void onClose(int code, String reason);

    /** The connection has ended. The last call, made once, also after {@link FrameConnection#close}. All waiting sends have failed. */
    void onEnd();
}
