/** JNDI and data sources for the container's applications. */
module io.penstock.naming {
    requires transitive io.penstock.core;
    requires transitive java.naming;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires org.slf4j;
    requires static org.jspecify;
    requires static com.google.errorprone.annotations;

    exports io.penstock.naming;

    uses java.sql.Driver;
    uses javax.naming.spi.InitialContextFactory;
}
