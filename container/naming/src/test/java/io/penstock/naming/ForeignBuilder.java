package io.penstock.naming;

import javax.naming.InitialContext;
import javax.naming.spi.NamingManager;

/** A program that sets its own InitialContextFactoryBuilder, and then calls {@link Naming#installForThisJvm}. It prints the results. */
@SuppressWarnings("BanJNDI") // This class must use JNDI.
public final class ForeignBuilder {
    private ForeignBuilder() {}

    public static void main(String[] args) throws Exception {
        NamingManager.setInitialContextFactoryBuilder(environment -> new NamesTest.Foreign());
        boolean ours = Naming.installForThisJvm();
        boolean still = InitialContext.doLookup("") instanceof InitialNames;
        System.out.println("installed " + ours + ", again " + Naming.installForThisJvm() + ", foreign " + still);
    }
}
