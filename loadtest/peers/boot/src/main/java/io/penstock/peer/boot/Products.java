package io.penstock.peer.boot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The products in the database. */
interface Products extends JpaRepository<Product, Long> {}
