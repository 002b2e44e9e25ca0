package io.penstock.acme;

import io.penstock.part.CertificateIssuer;
import java.io.IOException;
import java.util.Random;

/** The service by which the server finds this part. Thread: the thread that starts the server. */
public final class AcmeIssuer implements CertificateIssuer {

    /** For the service loader. */
    public AcmeIssuer() {}

    @Override
    public Orders open(Settings settings, Receiver receiver) throws IOException {
        return new AcmeOrders(
                settings, receiver, KeptFiles.open(settings.folder()), Time.SYSTEM, new RetryPause(new Random()));
    }
}
