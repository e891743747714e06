//! T-invariants by the simplex method, exactly.
//!
//! Of a matrix C either some x >= 0 other than 0 has C x = 0, which is a T-invariant, or some
//! y has y C >= 1 (Gordan's theorem). The simplex method maximises the sum of x under
//! C x = 0: it finds a direction in which that grows without end, or a y that shows there is
//! none. Bland's rule makes it end. Entries are integers over a common denominator, kept so
//! by Edmonds' pivoting; where one gets too great, or the work too much, it gives up.

/// What was found.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Answer {
    /// The columns that a T-invariant with as few as possible of them takes.
    Invariant(Vec<usize>),
    /// A weight for each row, so that every column has a positive sum.
    Potential(Vec<i64>),
    /// It was too much work.
    GaveUp,
}

/// Solves a matrix given by its columns, each a list of rows and entries. `work` is how many
/// entries may still be computed.
pub(super) fn solve(columns: &[Vec<(usize, i64)>], n_rows: usize, work: &mut u64) -> Answer {
    let n_entries = n_rows * (columns.len() + n_rows);
    match work.checked_sub(n_entries as u64) {
        Some(left) => *work = left,
        None => return Answer::GaveUp,
    }
    Tableau::new(columns, n_rows).solve(work).unwrap_or(Answer::GaveUp)
}

/// The rows of C and, right of it, the identity, multiplied by the inverse of a basis.
struct Tableau {
    n_columns: usize,
    rows: Vec<Vec<i64>>,
    /// The column of each row's basic variable; none yet for what cannot be solved for it.
    basis: Vec<Option<usize>>,
    /// y C - 1 and, right of it, y.
    objective: Vec<i64>,
    /// All entries are over this, which is positive.
    denominator: i64,
}

impl Tableau {
    fn new(columns: &[Vec<(usize, i64)>], n_rows: usize) -> Self {
        let n_columns = columns.len();
        let mut rows = vec![vec![0; n_columns + n_rows]; n_rows];
        for (i, row) in rows.iter_mut().enumerate() {
            row[n_columns + i] = 1;
        }
        for (j, column) in columns.iter().enumerate() {
            for &(row, entry) in column {
                rows[row][j] += entry;
            }
        }
        let mut objective = vec![-1; n_columns];
        objective.resize(n_columns + n_rows, 0);
        Tableau { n_columns, rows, basis: vec![None; n_rows], objective, denominator: 1 }
    }

    /// None if it gives up.
    fn solve(mut self, work: &mut u64) -> Option<Answer> {
        // Any basis will do to begin with, as x = 0. A row of zeros is one too many.
        for i in 0..self.rows.len() {
            if let Some(j) = (0..self.n_columns).find(|&j| self.rows[i][j] != 0) {
                if self.rows[i][j] < 0 {
                    for entry in &mut self.rows[i] {
                        *entry = entry.checked_neg()?;
                    }
                }
                self.pivot(i, j, work)?;
            }
        }
        while let Some(entering) = (0..self.n_columns).find(|&j| self.objective[j] < 0) {
            let bounding = (0..self.rows.len()).filter(|&i| self.rows[i][entering] > 0);
            match bounding.filter(|&i| self.basis[i].is_some()).min_by_key(|&i| self.basis[i]) {
                Some(leaving) => self.pivot(leaving, entering, work)?,
                None => return Some(Answer::Invariant(self.direction(entering))),
            }
        }
        Some(Answer::Potential(self.objective.split_off(self.n_columns)))
    }

    /// The columns that grow with one that nothing bounds.
    fn direction(&self, entering: usize) -> Vec<usize> {
        let grow = (0..self.rows.len()).filter(|&i| self.rows[i][entering] < 0);
        let mut support: Vec<usize> = grow.filter_map(|i| self.basis[i]).chain([entering]).collect();
        support.sort_unstable();
        support
    }

    /// Solves row `i`, whose entry in column `j` is positive, for that column.
    fn pivot(&mut self, i: usize, j: usize, work: &mut u64) -> Option<()> {
        let row = std::mem::take(&mut self.rows[i]);
        let (pivot, denominator) = (row[j], self.denominator);
        for other in self.rows.iter_mut().chain([&mut self.objective]).filter(|other| !other.is_empty()) {
            let factor = other[j];
            if factor == 0 && pivot == denominator {
                continue;
            }
            *work = work.checked_sub(row.len() as u64)?;
            for (entry, &own) in other.iter_mut().zip(&row) {
                if *entry != 0 || own != 0 {
                    let product =
                        i128::from(*entry) * i128::from(pivot) - i128::from(factor) * i128::from(own);
                    *entry = match i64::try_from(product) {
                        Ok(product) => product / denominator,
                        Err(_) => i64::try_from(product / i128::from(denominator)).ok()?,
                    };
                }
            }
        }
        self.rows[i] = row;
        self.basis[i] = Some(j);
        self.denominator = pivot;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dense(columns: &[&[i64]]) -> Answer {
        let n_rows = columns.first().map_or(0, |column| column.len());
        let columns: Vec<Vec<(usize, i64)>> =
            columns.iter().map(|column| column.iter().copied().enumerate().collect()).collect();
        let answer = solve(&columns, n_rows, &mut 1_000_000);
        if let Answer::Potential(y) = &answer {
            let sum = |column: &Vec<(usize, i64)>| column.iter().map(|&(row, e)| y[row] * e).sum::<i64>();
            assert!(columns.iter().all(|column| sum(column) > 0), "{y:?}");
        }
        answer
    }

    #[test]
    fn invariants_and_potentials() {
        assert_eq!(dense(&[&[0]]), Answer::Invariant(vec![0]));
        assert_eq!(dense(&[&[2], &[-3]]), Answer::Invariant(vec![0, 1]));
        assert_eq!(dense(&[&[1, -1], &[-1, 0], &[0, 1]]), Answer::Invariant(vec![0, 1, 2]));
        assert!(matches!(dense(&[&[1], &[2]]), Answer::Potential(_)));
        assert!(matches!(dense(&[&[3, -5], &[-1, 2]]), Answer::Potential(_)));
        assert!(matches!(dense(&[&[-7, 3, 1], &[2, -1, 4], &[5, 5, -9]]), Answer::Potential(_)));
    }

    #[test]
    fn too_much_work_is_given_up() {
        let columns = [vec![(0, 2)], vec![(0, -3)]];
        assert_eq!(solve(&columns, 1, &mut 2), Answer::GaveUp);
        let great = [vec![(0, i64::MAX), (1, 1)], vec![(0, i64::MAX - 1), (1, i64::MAX)]];
        assert_eq!(solve(&great, 2, &mut 1_000_000), Answer::GaveUp);
    }
}
