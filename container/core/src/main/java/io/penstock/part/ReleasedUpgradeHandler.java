package io.penstock.part;

import jakarta.servlet.http.HttpUpgradeHandler;

/**
 * An upgrade handler of a part of the container that is told when it is no longer needed. {@link #destroy} alone does not tell this: if the
 * client disconnects before the upgrade, or the upgrade fails, neither {@link #init} nor {@link #destroy} is called (Servlet 2.3.3.5).
 */
public interface ReleasedUpgradeHandler extends HttpUpgradeHandler {

    /** The last call, made once, by a worker: after {@link #destroy}, or instead of {@link #init}. */
    void released();
}
