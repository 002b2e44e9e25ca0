package io.penstock.acme;

import io.penstock.part.CertificateIssuer;
import java.io.IOException;
import java.util.Random;

/** The service that the server loads to order certificates from an ACME authority. The thread that starts the server uses this class. */
public final class AcmeIssuer implements CertificateIssuer {

    /** This constructor is public because the service loader calls it. */
    public AcmeIssuer() {}

    @Override
    public Orders open(Settings settings, Receiver receiver) throws IOException {
        return new AcmeOrders(
                settings, receiver, KeptFiles.open(settings.folder()), Time.SYSTEM, new RetryPause(new Random()));
    }
}
