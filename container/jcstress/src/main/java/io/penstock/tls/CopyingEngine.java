package io.penstock.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLSession;

/**
 * A TLS engine for tests that copies bytes and does not encrypt. Its handshake is complete. A TLS message of the engine is one byte {@link
 * #WORD}, and its close message is one byte {@link #END}. Like the engine of the JDK, this engine uses its own lock.
 */
final class CopyingEngine extends SSLEngine {
    static final byte WORD = 'w';
    static final byte END = 'e';

    private int words;
    private boolean ending;
    private boolean ended;

    /** Adds a TLS message that the engine must send. */
    synchronized void addWord() {
        words++;
    }

    @Override
    public synchronized SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer target) {
        if (words > 0) {
            words--;
            target.put(WORD);
            return result(Status.OK, 0, 1);
        }
        if (ending) {
            if (ended) {
                return result(Status.CLOSED, 0, 0);
            }
            ended = true;
            target.put(END);
            return result(Status.CLOSED, 0, 1);
        }
        int count = 0;
        for (int i = offset; i < offset + length; i++) {
            count += sources[i].remaining();
            target.put(sources[i]);
        }
        return result(Status.OK, count, count);
    }

    private SSLEngineResult result(Status status, int consumed, int produced) {
        return new SSLEngineResult(status, getHandshakeStatus(), consumed, produced);
    }

    @Override
    public synchronized HandshakeStatus getHandshakeStatus() {
        return words > 0 || (ending && !ended) ? HandshakeStatus.NEED_WRAP : HandshakeStatus.NOT_HANDSHAKING;
    }

    @Override
    public synchronized void closeOutbound() {
        ending = true;
    }

    @Override
    public synchronized boolean isOutboundDone() {
        return ended;
    }

    // ---- a writer does not call these methods

    @Override
    public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] targets, int offset, int length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Runnable getDelegatedTask() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void closeInbound() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isInboundDone() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String[] getEnabledCipherSuites() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setEnabledCipherSuites(String[] suites) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String[] getSupportedProtocols() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String[] getEnabledProtocols() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setEnabledProtocols(String[] protocols) {
        throw new UnsupportedOperationException();
    }

    @Override
    public SSLSession getSession() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void beginHandshake() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setUseClientMode(boolean mode) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getUseClientMode() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setNeedClientAuth(boolean need) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getNeedClientAuth() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setWantClientAuth(boolean want) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getWantClientAuth() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setEnableSessionCreation(boolean flag) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getEnableSessionCreation() {
        throw new UnsupportedOperationException();
    }
}
