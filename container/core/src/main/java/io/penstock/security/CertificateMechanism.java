package io.penstock.security;

import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.request.HttpRequest;
import io.penstock.request.Identity;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Login by the client certificate, which TLS has verified. A client without a certificate gets a 403. */
final class CertificateMechanism implements Mechanism {
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private final Logins logins;

    CertificateMechanism(Logins logins) {
        this.logins = logins;
    }

    @Override
    public String type() {
        return HttpServletRequest.CLIENT_CERT_AUTH;
    }

    /** Returns null, because no header field can ask for a certificate. */
    @Override
    public @Nullable Fields challenge() {
        return null;
    }

    /** Returns true for every request, because the request head does not contain the certificate. */
    @Override
    public boolean hasCredentials(RequestHead head) {
        return true;
    }

    @Override
    public boolean takesPasswords() {
        return false;
    }

    @Override
    public @Nullable Identity authenticate(HttpRequest request, HttpServletResponse response, Moment moment)
            throws IOException, ServletException {
        if (request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
                && chain.length > 0
                && logins.withCertificates(type(), List.of(chain)) instanceof Attempt.Succeeded succeeded) {
            return succeeded.user();
        }
        response.sendError(HttpServletResponse.SC_FORBIDDEN);
        return null;
    }
}
