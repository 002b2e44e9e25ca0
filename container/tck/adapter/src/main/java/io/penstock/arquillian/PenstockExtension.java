package io.penstock.arquillian;

import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Registers the container with Arquillian. Arquillian finds this class on the class path. */
public final class PenstockExtension implements LoadableExtension {

    @Override
    public void register(ExtensionBuilder builder) {
        builder.service(DeployableContainer.class, PenstockContainer.class);
    }
}
